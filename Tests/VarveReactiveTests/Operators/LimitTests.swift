import Testing
import VarveReactive
import VarveTestRig

@Suite struct LimitTests {
  @Test func `take(first:) completes with the last value that it takes`() {
    #expect(marbles([1, 2, 3], nil) { $0.take(first: 2) } == "1 2 |")
    #expect(marbles([1], .failed) { $0.take(first: 2) } == "1 x")
    #expect(marbles([1]) { $0.take(first: 2) } == "1 |")
  }

  @Test("P3, P6: take(first: 0) interrupts without starting anything")
  func nothing() {
    let starts = Box(0)
    let producer = SignalProducer<Int, Never> { observer, _ in
      starts.change { $0 += 1 }
      observer.sendCompleted()
    }
    #expect(marbles(producer.take(first: 0)) == "!")
    #expect(starts.value == 0)
  }

  @Test("P6: take(first: 0) observes no signal, and has ended when it returns")
  func nothingOfASignal() {
    let ended = Box(false)
    let none: Signal<Int, Never>
    do {
      let source = Signal<Int, Never> { observer, lifetime in
        lifetime.observeEnded { withExtendedLifetime(observer) { ended.set(true) } }
      }
      none = source.take(first: 0)
    }
    #expect(ended.value)
    let interrupted = Box(false)
    #expect(none.observeInterrupted { interrupted.set(true) } == nil)
    #expect(interrupted.value)
  }

  @Test("P6: what comes after the end in the same delivery reaches no closure")
  func sameDelivery() {
    let asked = Box<[Int]>([])
    let numbers = SignalProducer<[Int], TestFailure>([[1, 2, 3, 4, 5]]).flatten()
    #expect(
      marbles(
        numbers.take(while: {
          asked.append($0)
          return $0 < 2
        })) == "1 |")
    #expect(asked.value == [1, 2])
    asked.set([])
    #expect(
      marbles(
        numbers.map { number in
          asked.append(number)
          return number
        }.take(first: 2)) == "1 2 |")
    #expect(asked.value == [1, 2])
  }

  @Test func `take(while:) leaves the last out, take(until:) takes it`() {
    #expect(marbles([1, 2, 9, 1], nil) { $0.take(while: { $0 < 5 }) } == "1 2 |")
    #expect(marbles([1, 2, 9, 1], nil) { $0.take(until: { $0 < 5 }) } == "1 2 9 |")
  }

  @Test func `take(last:) waits for completion`() {
    #expect(marbles([1, 2, 3, 4, 5]) { $0.take(last: 2) } == "4 5 |")
    #expect(marbles([1, 2, 3, 4, 5, 6, 7]) { $0.take(last: 3) } == "5 6 7 |")
    #expect(marbles([1]) { $0.take(last: 2) } == "1 |")
    #expect(marbles([1, 2]) { $0.take(last: 0) } == "|")
    #expect(marbles([1, 2], .failed) { $0.take(last: 2) } == "x")
    #expect(marbles([1, 2, 3]) { $0.take(last: 3).take(first: 1) } == "1 |")
  }

  @Test func `skipping`() {
    #expect(marbles([1, 2, 3]) { $0.skip(first: 2) } == "3 |")
    #expect(marbles([1, 2, 3]) { $0.skip(first: 0) } == "1 2 3 |")
    #expect(marbles([1], .failed) { $0.skip(first: 2) } == "x")
    #expect(marbles([1, 9, 2]) { $0.skip(while: { $0 < 5 }) } == "9 2 |")
  }

  @Test func `negative counts stop the program`() async {
    await #expect(processExitsWith: .failure) { _ = Signal<Int, Never>.never.take(first: -1) }
    await #expect(processExitsWith: .failure) { _ = Signal<Int, Never>.never.take(last: -1) }
    await #expect(processExitsWith: .failure) { _ = Signal<Int, Never>.never.skip(first: -1) }
    await #expect(processExitsWith: .failure) { _ = Signal<Int, Never>.never.collect(count: 0) }
  }
}
