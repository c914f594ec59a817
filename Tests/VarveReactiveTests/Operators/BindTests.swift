import Testing
import VarveReactive
import VarveTestRig

@Suite struct BindTests {
  @Test func `bind makes one stream of those that its steps make`() {
    #expect(
      marbles([1, 2, 3]) { $0.bind { value, _ in SignalProducer([value, value * 10]) } }
        == "1 10 2 20 3 30 |")
  }

  @Test func `a step that says stop is the last, and its stream counts`() {
    let text = marbles([1, 2, 3]) {
      $0.bind { value, stop in
        stop = value == 2
        return SignalProducer(value: value)
      }
    }
    #expect(text == "1 2 |")
  }

  @Test func `a step that makes no stream is the last`() {
    #expect(
      marbles([1, 2, 3]) { $0.bind { value, _ in value == 2 ? nil : SignalProducer(value: value) } }
        == "1 |")
  }

  @Test("P6: stopping lets go of the source, and waits for the streams that run")
  func stopping() {
    let (outer, outerInput) = Signal<Int, Never>.pipe()
    let (inner, innerInput) = Signal<Int, Never>.pipe()
    let ended = AnyDisposable()
    let log = Box<[Event<Int, Never>]>([])
    SignalProducer<Int, Never> { observer, lifetime in
      lifetime += ended
      lifetime += outer.observe(observer)
    }.bind { _, stop in
      stop = true
      return inner.producer
    }.start { log.append($0) }
    outerInput.send(value: 1)
    #expect(ended.isDisposed)
    innerInput.send(value: 7)
    innerInput.sendCompleted()
    #expect(log.value == [.value(7), .completed])
  }

  @Test("P2: a step's state belongs to one start")
  func state() {
    let numbered = SignalProducer<String, Never>(["a", "b"]).bind(startingWith: {
      var count = 0
      return { value, _ in
        count += 1
        return SignalProducer(value: "\(count)\(value)")
      }
    })
    #expect(marbles(numbered) == "1a 2b |")
    #expect(marbles(numbered) == "1a 2b |")
  }
}
