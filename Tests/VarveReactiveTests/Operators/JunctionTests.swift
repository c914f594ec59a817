import Testing
import VarveReactive
import VarveTestRig

@Suite struct JunctionTests {
  @Test("P6: a junction stops an input that would not return from its start")
  func stopsAnInputThatDoesNotReturn() {
    let sent = Box(0)
    let busy = SignalProducer<Int, Never> { observer, lifetime in
      while !lifetime.hasEnded && sent.value < 1_000 {
        observer.send(
          value: sent.change {
            $0 += 1; return $0
          })
      }
    }
    let (trigger, fire) = Signal<Void, Never>.pipe()

    SignalProducer<Int, Never>.merge(busy, busy)
      .take(until: trigger)
      .startWithValues { if $0 == 3 { fire.send(value: ()) } }

    #expect(sent.value == 3)
  }

  @Test("take(untilReplacement:): a signal that replaces itself sends its first value as both")
  func replacedByItself() {
    let (signal, input) = Signal<Int, Never>.pipe()
    let seen = Box<[Int]>([])
    signal.take(untilReplacement: signal).observeValues { seen.append($0) }
    for value in 1...3 { input.send(value: value) }
    #expect(seen.value == [1, 1, 2, 3])
  }

  @Test("take(untilReplacement:): no value of the original follows one of the replacement")
  func replacementAmongThreads() {
    for _ in 0..<300 {
      let (original, first) = Signal<Int, Never>.pipe()
      let (replacement, second) = Signal<Int, Never>.pipe()
      let seen = Box<[Int]>([])
      original.take(untilReplacement: replacement).observeValues { seen.append($0) }
      onThreads(2) { index in
        for _ in 0..<20 { (index == 0 ? first : second).send(value: index) }
      }
      #expect(seen.value == seen.value.sorted())
    }
  }

  @Test("P6: a replacement stops the original's run, and its interruption is nobody's end")
  func replacementStopsTheOriginal() {
    let (replacement, other) = Signal<Int, Never>.pipe()
    let log = Box<[String]>([])
    @Sendable func note(_ entry: String) { log.change { $0.append(entry) } }

    SignalProducer<Int, Never>.never.on(disposed: { note("stopped") })
      .take(untilReplacement: replacement)
      .start { note("\($0)") }
    other.send(value: 1)
    other.send(value: 2)
    other.sendCompleted()

    #expect(log.value == ["stopped", "VALUE 1", "VALUE 2", "COMPLETED"])
  }

  @Test("P3: a sampler that sends at once finds the source's latest value")
  func samplerThatSendsAtOnce() {
    let sampler = SignalProducer<String, Never>(value: "now")
    let tick = SignalProducer<Void, Never>(value: ())

    #expect(marbles([1, 2]) { $0.sample(with: sampler) } == "(2, \"now\") |")
    #expect(marbles([1, 2]) { $0.sample(on: tick) } == "2 |")
    // The others need the value that their second input begins with.
    #expect(marbles([1, 2]) { $0.withLatest(from: sampler) } == "(1, \"now\") (2, \"now\") |")
    #expect(marbles([1, 2]) { $0.take(until: tick) } == "|")
    #expect(marbles([1, 2]) { $0.skip(until: tick) } == "1 2 |")
  }

  @Test("S3: a signal that samples itself has sent its value before")
  func signalThatControlsItself() {
    func events<Value>(
      _ apply: (Signal<Void, Never>) -> Signal<Value, Never>
    ) -> [String] {
      let (signal, input) = Signal<Void, Never>.pipe()
      let seen = Box<[String]>([])
      apply(signal).observe { event in seen.change { $0.append("\(event)") } }
      input.send(value: ())
      input.send(value: ())
      return seen.value
    }

    #expect(events { $0.sample(on: $0) } == ["VALUE ()", "VALUE ()"])
    #expect(events { $0.withLatest(from: $0).map { _ in 1 } } == ["VALUE 1", "VALUE 1"])
    #expect(events { $0.take(until: $0) } == ["VALUE ()", "COMPLETED"])
    #expect(events { $0.skip(until: $0) } == ["VALUE ()"])
  }
}
