// Symptom: I set the pump to 50 litres, and the display begins to count by itself; the relay
// clatters until I cut the power.
// Looks at: the power of the pump (the property "power")
import Foundation
import Varve

final class Pump {
  let litres = MutableProperty(0, named: "litres")
  let power = MutableProperty(0, named: "power")
  private let relay = QueueScheduler(name: "relay")
  private let wires = CompositeDisposable()

  init() {
    wires += power
      <~ litres.signal
      .skipRepeats()
      .map { $0 * 7 / 5 }
      .observe(on: relay)
    wires += litres
      <~ power.signal  // culprit
      .skipRepeats()
      .map { ($0 * 5 + 6) / 7 + 1 }
      .observe(on: relay)
  }

  func cutPower() { wires.dispose() }
}

final class PumpPanel {
  private(set) var clicks = 0

  init(_ pump: Pump) {
    pump.power.signal.observeValues { [unowned self] _ in clicks += 1 }
  }
}

let pump = Pump()
let panel = PumpPanel(pump)
pump.litres.value = 50
Thread.sleep(forTimeInterval: 0.1)
pump.cutPower()
print("I set 50 litres. It says \(pump.litres.value) after \(panel.clicks) clicks of the relay")
