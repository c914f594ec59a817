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
}
