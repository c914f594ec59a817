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
}
