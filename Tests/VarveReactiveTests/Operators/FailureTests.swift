import Testing
import VarveReactive
import VarveTestRig

@Suite struct FailureTests {
  @Test func `attempt lets values pass until one is refused`() {
    let refused = marbles([1, 2, 3, 1], nil) {
      $0.attempt { $0 < 3 ? .success(()) : .failure(TestFailure()) }
    }
    #expect(refused == "1 2 x")
    #expect(marbles([1], .failed) { $0.attempt { _ in .success(()) } } == "1 x")
  }

  @Test func `attemptMap transforms until it cannot`() {
    let refused = marbles(["1", "x", "2"], nil) {
      $0.attemptMap { Int($0).map { .success($0) } ?? .failure(TestFailure()) }
    }
    #expect(refused == "1 x")
  }

  @Test func `what an attempt throws is the failure`() {
    let numbers = SignalProducer<Int, Never>([1, 2])
    let failures = Box<[String]>([])
    let thrown = numbers.attempt { if $0 == 2 { throw TestFailure() } }
    thrown.startWithFailed { failures.append("\($0)") }
    // The same on a stream that could fail already, in any way.
    thrown.attemptMap { (_: Int) throws -> Int in throw OtherFailure() }
      .startWithFailed { failures.append("\($0)") }
    #expect(failures.value == ["TestFailure()", "OtherFailure()"])
  }

  @Test("E2: an attempt is not made after one has failed")
  func noMoreAttempts() {
    let attempts = Box<[Int]>([])
    let numbers = SignalProducer<[Int], Never>(value: [1, 2, 3]).flatten()
    #expect(
      marbles(
        numbers.attempt {
          attempts.append($0)
          if $0 == 2 { throw TestFailure() }
        }) == "1 x")
    #expect(attempts.value == [1, 2])
  }

  @Test func `mapError transforms the failure alone`() {
    let failures = Box<[OtherFailure]>([])
    SignalProducer<Int, TestFailure>(error: TestFailure()).mapError { _ in OtherFailure() }
      .startWithFailed { failures.append($0) }
    #expect(failures.value == [OtherFailure()])
    #expect(marbles([1], .interrupted) { $0.mapError { _ in OtherFailure() } } == "1 !")
  }

  @Test("E9: a stream that cannot fail can be used where one can")
  func promotion() {
    let infallible = SignalProducer<Int, Never>([1, 2])
    let fallible: SignalProducer<Int, TestFailure> = infallible.promoteError()
    #expect(marbles(fallible) == "1 2 |")
    #expect(marbles(infallible.promoteError(OtherFailure.self)) == "1 2 |")
    // The observer of a stream that cannot fail need not speak of failures.
    let seen = Box<[Int]>([])
    infallible.startWithValues { seen.append($0) }
    #expect(seen.value == [1, 2])
  }

  @Test func `a stream without values can be used where one with values can`() {
    let ending = SignalProducer<Never, TestFailure>(error: TestFailure())
    let promoted: SignalProducer<Int, TestFailure> = ending.promoteValue()
    #expect(marbles(promoted) == "x")
    #expect(marbles(ending.promoteValue(String.self)) == "x")
  }

  @Test("E10: materialize makes every event a value, and completes")
  func materialize() {
    #expect(marbles([1], .completed) { $0.materialize() } == "VALUE 1 COMPLETED |")
    #expect(marbles([1], .failed) { $0.materialize() } == "VALUE 1 FAILED TestFailure() |")
  }

  @Test("E10: an interruption is materialized and then interrupts")
  func materializedInterruption() {
    #expect(marbles([1], .interrupted) { $0.materialize() } == "VALUE 1 INTERRUPTED !")
  }

  @Test("E10: dematerialize undoes materialize exactly", arguments: Ending.allCases)
  func roundTrip(_ ending: Ending) {
    let events = marbles([1, 2], ending) { $0.materialize().dematerialize() }
    #expect(events == marbles([1, 2], ending) { $0 })
  }

  @Test("E10: results do the same", arguments: Ending.allCases)
  func resultsRoundTrip(_ ending: Ending) {
    let events = marbles([1, 2], ending) { $0.materializeResults().dematerializeResults() }
    #expect(events == marbles([1, 2], ending) { $0 })
    let shown = marbles([1], .failed) { $0.materializeResults() }
    #expect(shown == "success(1) failure(VarveTesting.TestFailure()) |")
  }

  @Test("E2: dematerialize sends nothing after the end that it found")
  func afterTheEnd() {
    let events: [Event<Int, TestFailure>] = [.value(1), .completed, .value(2)]
    #expect(marbles(SignalProducer<_, Never>(events).dematerialize()) == "1 |")
    let burst = SignalProducer<_, Never>(value: events).flatten().dematerialize()
    #expect(marbles(burst) == "1 |")
  }
}
