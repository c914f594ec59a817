import Testing
import VarveProbe
import VarveTestRig
import VarveTracing

@Suite struct TracedSequenceTests {
  /// A sequence that counts, and may fail.
  private struct Counting: AsyncSequence, Sendable {
    var to: Int
    var failure: TestFailure?

    struct Iterator: AsyncIteratorProtocol {
      var next = 0
      let to: Int
      let failure: TestFailure?

      mutating func next() async throws(TestFailure) -> Int? {
        await Task.yield()
        next += 1
        if next <= to { return next }
        if let failure { throw failure }
        return nil
      }

      mutating func next(
        isolation actor: isolated (any Actor)?
      ) async throws(TestFailure) -> Int? {
        next += 1
        if next <= to { return next }
        if let failure { throw failure }
        return nil
      }
    }

    func makeAsyncIterator() -> Iterator { Iterator(to: to, failure: failure) }
  }

  @Test("K8: each element of a named sequence is a value, and the end is recorded once")
  func values() async throws {
    let rig = try await ProbeRig.record { _ in
      var read: [Int] = []
      for try await number in Counting(to: 3).traced("k8.counting") { read.append(number) }
      #expect(read == [1, 2, 3])
    }
    let recorded = Recorded(rig: rig)
    #expect(
      recorded.kinds("k8.counting") == [.subscribed, .value, .value, .value, .completed, .ended])
    #expect(recorded.records("k8.counting", .value).map(\.word) == [1, 2, 3])
    #expect(recorded.reasons("k8.counting") == [.completed])
    #expect(Set(recorded.records("k8.counting").map(\.subscription)).count == 1)
    let definition = try #require(recorded.definition("k8.counting"))
    #expect(definition.isNamed)
    #expect(definition.operation == "traced")
    #expect(definition.place?.description.hasPrefix("TracedSequenceTests.swift:") == true)
    #expect(definition.valueType == "Swift.Int" || definition.valueType == "Int")
  }

  @Test("K8: a failure is recorded and thrown with its type")
  func failure() async {
    let rig = await ProbeRig.record { _ in
      do throws(TestFailure) {
        for try await _ in Counting(to: 1, failure: TestFailure()).traced("k8.failing") {}
        Issue.record("nothing was thrown")
      } catch {
        #expect(error == TestFailure())
      }
    }
    let recorded = Recorded(rig: rig)
    #expect(recorded.kinds("k8.failing") == [.subscribed, .value, .failed, .ended])
    #expect(recorded.reasons("k8.failing") == [.failed])
  }

  @Test("K8: a loop that is left gives the sequence up")
  func leaving() async throws {
    let rig = try await ProbeRig.record { _ in
      for try await _ in Counting(to: 3).traced("k8.left") { break }
    }
    let recorded = Recorded(rig: rig)
    #expect(recorded.kinds("k8.left") == [.subscribed, .value, .ended])
    #expect(recorded.reasons("k8.left") == [.disposed])
  }

  @Test("K8: a cancelled loop is interrupted")
  func cancelling() async {
    let rig = await ProbeRig.record { _ in
      let (stream, _) = AsyncStream<Int>.makeStream()
      let task = Task { for await _ in stream.traced("k8.cancelled") {} }
      task.cancel()
      await task.value
    }
    let recorded = Recorded(rig: rig)
    #expect(recorded.kinds("k8.cancelled") == [.subscribed, .interrupted, .ended])
    #expect(recorded.reasons("k8.cancelled") == [.interrupted])
  }

  @Test(
    "K3: an element is caused by what came through a traced sequence below, and by nothing else")
  func causes() async throws {
    let rig = try await ProbeRig.record { _ in
      let below = Counting(to: 3).traced("k3.below")
      for try await _ in below.filter({ $0 != 2 }).map({ $0 * 10 }).traced("k3.above") {}
    }
    let recorded = Recorded(rig: rig)
    let below = recorded.records("k3.below", .value)
    let above = recorded.records("k3.above", .value)
    #expect(below.map(\.causes) == [[], [], []])
    #expect(above.map(\.word) == [10, 30])
    #expect(above.map(\.causes) == [[below[0].reference], [below[2].reference]])
  }

  @Test("K3: what a task does after an element is caused by it")
  func effects() async throws {
    // A task that waits while many thousands of others await something forgets what it awaited: then
    // the test is made again.
    var isKept = false
    for _ in 0..<8 where !isKept {
      let rig = try await ProbeRig.record { _ in
        for try await number in Counting(to: 2).traced("k3.elements") {
          await Task.yield()
          Trace.log("k3 got \(number)")
        }
      }
      let recorded = Recorded(rig: rig)
      let values = recorded.records("k3.elements", .value).map { [$0.reference] }
      // The rig has them thread by thread, and a task changes threads.
      let lines = recorded.all
        .filter { $0.kind == .log && $0.text?.hasPrefix("k3 got") == true }
        .sorted { $0.ticks < $1.ticks }.map(\.causes)
      #expect(zip(lines, values).allSatisfy { $0 == $1 || $0 == [] })
      isKept = lines == values
    }
    #expect(isKept)
  }

  @Test("T7: a recording without values has none of a sequence's")
  func withheld() async throws {
    let rig = try await ProbeRig.record(wish: [.allStreams, .withholdValues]) { _ in
      for try await _ in Counting(to: 1).traced("t7.withheld") { Trace.log("t7 secret") }
    }
    #expect(Recorded(rig: rig).records("t7.withheld", .value).map(\.payload) == [.withheld])
    #expect(!rig.records.contains { $0.text == "t7 secret" })
  }

  @Test("T2: an iteration under way is told to a recording that starts in between")
  func startingLate() async throws {
    try await GateTurn.take {
      var iterator = Counting(to: 2).traced("t2.late").makeAsyncIterator()
      _ = try await iterator.next()
      let rig = ProbeRig.reopened()
      _ = try await iterator.next()
      _ = try await iterator.next()
      rig.close()
      #expect(
        Recorded(rig: rig).kinds("t2.late") == [.subscribed, .value, .completed, .ended])
    }
  }

  @Test("T9: without a recording, a traced sequence delivers what the plain one does")
  func unrecorded() async throws {
    var read: [Int] = []
    for try await number in Counting(to: 100).traced("t9.plain") { read.append(number) }
    #expect(read == Array(1...100))
  }
}
