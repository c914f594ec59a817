import Testing
import VarveReactive
import VarveTesting

private struct Broken: Error, Equatable {}

@Suite("Marbles on virtual time") struct MarbleTimeTests {
  @Test("a hot stream sends what its diagram says")
  func hot() throws {
    let time = MarbleTime()
    let source: Signal<Int, Never> = try time.hot("--a--b|", ["a": 1, "b": 2])
    try time.expect("--x--y|", ["x": 2, "y": 4], from: source.map { $0 * 2 }.producer)
  }

  @Test("a cold stream begins anew at each start")
  func cold() throws {
    let time = MarbleTime()
    let source: SignalProducer<String, Never> = try time.cold("-a-b|", ["a": "a", "b": "b"])
    try time.expect("-a-b-a-b|", from: source.repeat(2))
  }

  @Test("debounce waits for silence")
  func debounce() throws {
    let time = MarbleTime()
    let source: Signal<String, Never> = try time.hot(
      "-a-b------c----|", ["a": "a", "b": "b", "c": "c"])
    try time.expect(
      "------b------c-|", from: source.producer.debounce(.milliseconds(3), on: time.scheduler))
  }

  @Test("a failure is drawn as a failure")
  func failure() throws {
    let time = MarbleTime()
    let source: SignalProducer<String, Broken> = try time.cold(
      "-a#", ["a": "a"], failure: Broken())
    try time.expect("-a#", from: source)
  }

  @Test("what differs is shown, one diagram under the other")
  func mismatch() throws {
    let time = MarbleTime()
    let source: Signal<String, Never> = try time.hot("--a|", ["a": "a"])
    #expect {
      try time.expect("-a|", from: source.producer)
    } throws: { error in
      "\(error)".contains("expected  -a|\nseen      --a|")
    }
  }

  @Test("a letter without a value is told")
  func unknownLetter() {
    #expect(throws: MarbleMismatch.self) {
      let _: Signal<Int, Never> = try MarbleTime().hot("-z", ["a": 1])
    }
  }
}

@Suite("Leak checks", .serialized) struct LeakCheckTests {
  @Test("streams that have gone are no leak")
  func noLeak() throws {
    try expectNoLeaks {
      let (signal, input) = Signal<Int, Never>.pipe(named: "short-lived")
      signal.map { $0 + 1 }.observeValues { _ in }
      input.sendCompleted()
    }
  }

  @Test("a stream that stays is named, with its place")
  func leak() {
    var kept: Signal<Int, Never>?
    #expect {
      try expectNoLeaks { kept = Signal<Int, Never>.pipe(named: "kept").output }
    } throws: { error in
      "\(error)".contains("kept (made in MarbleTimeTests.swift:")
    }
    _ = kept
  }
}
