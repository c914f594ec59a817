import Testing
import VarveReactive
import VarveTestRig

/// Operators that start something again and again, on a thread with 256 KiB of stack.
@Suite struct RecursionDepthTests {
  private typealias Numbers = SignalProducer<Int, TestFailure>

  #if DEBUG
    // A round of unoptimised code takes microseconds. A stack that grew by nine bytes a round, less
    // than any frame, would overflow here, too.
    private static let rounds = 30_000
  #else
    private static let rounds = 10_000_000
  #endif

  /// Counts the values of a producer that is started on a small stack.
  private func count(
    _ make: @escaping @Sendable (_ rounds: Int) -> Numbers
  ) -> (values: Int, isOver: Bool) {
    let result = Box((values: 0, isOver: false))
    onSmallStack {
      // A property of the thread: a lock for each value would take most of the time.
      let counter = Counter()
      let run = make(Self.rounds).start(
        Signal<Int, TestFailure>.Observer(value: { _ in counter.values += 1 }))
      result.set((counter.values, run.isDisposed))
    }
    return result.value
  }

  @Test("H7: repeat needs no stack for its rounds")
  func repeating() {
    #expect(count { Numbers(value: 1).repeat($0) } == (Self.rounds, true))
    #expect(count { Numbers(value: 1).repeatForever().take(first: $0) } == (Self.rounds, true))
  }

  @Test("H7: retry needs no stack for its rounds")
  func retrying() {
    let failing = Numbers { observer, _ in
      observer.send(value: 1)
      observer.send(error: TestFailure())
    }
    #expect(count { failing.retry(upTo: $0 - 1) } == (Self.rounds, true))
    #expect(count { failing.retry().take(first: $0) } == (Self.rounds, true))
  }

  @Test("H7: flattening with concat needs no stack for its producers, waiting ones included")
  func concatenating() {
    #expect(
      count { Numbers(0..<$0).flatMap(.concat) { Numbers(value: $0) } } == (Self.rounds, true))
    let (wait, waitInput) = Signal<Int, TestFailure>.pipe()
    let seen = Box(0)
    onSmallStack {
      // All but the first wait, and then follow each other inside its completion.
      let all = Numbers(0..<Self.rounds).flatMap(.concat) { number in
        number == 0 ? wait.producer : Numbers(value: number)
      }
      let counter = Counter()
      all.start(
        Signal<Int, TestFailure>.Observer(
          value: { _ in counter.values += 1 }, completed: { seen.set(counter.values) }))
      waitInput.sendCompleted()
    }
    #expect(seen.value == Self.rounds - 1)
  }

  @Test("H7: then, concat and flatMapError in a chain of starts need none either")
  func chained() {
    #expect(
      count {
        Numbers(value: 1).then(Numbers(value: 2)).repeat($0)
      } == (Self.rounds, true))
    #expect(
      count {
        Numbers.empty.concat(value: 1).repeat($0)
      } == (Self.rounds, true))
  }

  private final class Counter: @unchecked Sendable {
    // Safety: used by one thread.
    var values = 0
  }
}
