import ReactiveCocoa2Compatibility
import Testing
import VarveReactive
import VarveTestRig

@Suite struct ChoosingTests {
  @Test func `if follows the stream that the latest condition says`() {
    let (condition, choose) = Signal<Bool, Never>.pipe(named: "condition")
    let (a, first) = Signal<Int, Never>.pipe(named: "a")
    let (b, second) = Signal<Int, Never>.pipe(named: "b")
    let chosen = SignalProducer.if(condition.producer, then: a.producer, else: b.producer)
    #expect(chosen.description == "if(condition, then: a, else: b)")
    #expect(chosen.bracketDescription == "+if: condition then: a else: b")
    let log = Box<[Event<Int, Never>]>([])
    chosen.start { log.append($0) }
    first.send(value: 0)
    choose.send(value: true)
    first.send(value: 1)
    second.send(value: 2)
    choose.send(value: false)
    first.send(value: 3)
    second.send(value: 4)
    choose.sendCompleted()
    #expect(log.value == [.value(1), .value(4)])
    second.sendCompleted()
    #expect(log.value == [.value(1), .value(4), .completed])
  }

  @Test func `a condition that cannot fail chooses among streams that can`() {
    let chosen = SignalProducer<Int, TestFailure>.if(
      SignalProducer<Bool, Never>(value: false), then: SignalProducer(value: 1),
      else: SignalProducer(error: TestFailure()))
    #expect(marbles(chosen) == "x")
  }

  @Test func `switch follows the stream of the latest key, or the default`() {
    let cases = [
      "one": SignalProducer<Int, TestFailure>([1, 1]),
      "two": SignalProducer<Int, TestFailure>(value: 2),
    ]
    func chosen(_ keys: [String]) -> String {
      marbles(
        SignalProducer<Int, TestFailure>.switch(
          SignalProducer<String, Never>(keys), cases: cases,
          default: SignalProducer(error: TestFailure())))
    }
    #expect(chosen(["two", "one"]) == "2 1 1 |")
    #expect(chosen(["two", "three", "one"]) == "2 x")
    let named = SignalProducer<Int, TestFailure>.switch(
      SignalProducer<String, TestFailure>.never.named("keys"), cases: cases, default: .empty)
    #expect(named.bracketDescription == "+switch: keys cases: {…} default: +empty")
  }

  @Test("P6: the stream that is no longer chosen is stopped")
  func stopped() {
    let (condition, choose) = Signal<Bool, Never>.pipe()
    let ended = Box(0)
    let work = SignalProducer<Int, Never> { observer, lifetime in
      lifetime.observeEnded {
        ended.change { $0 += 1 }
        withExtendedLifetime(observer) {}
      }
    }
    SignalProducer.if(condition.producer, then: work, else: .never).start()
    choose.send(value: true)
    #expect(ended.value == 0)
    choose.send(value: false)
    #expect(ended.value == 1)
  }
}
