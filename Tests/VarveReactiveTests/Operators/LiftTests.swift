import Testing
import VarveReactive
import VarveTestRig

@Suite struct LiftTests {
  @Test("P9: lift applies a function of a signal afresh at each start")
  func unary() {
    let applied = Box(0)
    let seen = Box<[Int]>([])
    let lifted = SignalProducer<Int, Never>([1, 2, 3]).lift { signal in
      applied.change { $0 += 1 }
      return signal.scan(0, +)
    }
    #expect(applied.value == 0)
    for _ in 0..<2 { lifted.startWithValues { seen.append($0) } }
    #expect(applied.value == 2)
    #expect(seen.value == [1, 3, 6, 1, 3, 6])
  }

  @Test("P9: it makes a function of two signals one of two producers, started afresh each time")
  func binary() {
    let starts = Box<[String]>([])
    func source(_ name: String, _ value: Int) -> SignalProducer<Int, Never> {
      SignalProducer { observer, _ in
        starts.append(name)
        observer.send(value: value)
        observer.sendCompleted()
      }
    }
    let seen = Box<[Int]>([])
    let both = source("left", 1).lift(Signal.merge(with:))(source("right", 2))
    #expect(starts.value == [])
    for _ in 0..<2 { both.startWithValues { seen.append($0) } }
    #expect(starts.value.sorted() == ["left", "left", "right", "right"])
    #expect(seen.value.sorted() == [1, 1, 2, 2])
  }

  @Test("P9: the function's observers are there before the work begins: nothing is missed")
  func nothingMissed() {
    let seen = Box<[Event<Int, TestFailure>]>([])
    SignalProducer<Int, TestFailure> { observer, _ in
      observer.send(value: 1)
      observer.send(error: TestFailure())
    }.lift { $0.map { $0 * 2 } }.start { seen.append($0) }
    #expect(seen.value == [.value(2), .failed(TestFailure())])
  }

  @Test("P9: the end of what the function returns, and disposal, stop all producers")
  func stops() {
    let ended = Box<[String]>([])
    func source(_ name: String) -> SignalProducer<Int, Never> {
      SignalProducer { observer, lifetime in
        lifetime.observeEnded {
          withExtendedLifetime(observer) { ended.append(name) }
        }
        observer.send(value: 1)
      }
    }
    source("first").lift { $0.take(first: 1) }.start()
    #expect(ended.value == ["first"])
    let run = source("left").lift(Signal.merge(with:))(source("right")).start()
    #expect(ended.value == ["first"])
    run.dispose()
    #expect(ended.value.dropFirst().sorted() == ["left", "right"])
  }
}
