// Symptom: The panel shows no temperature when it is opened; it comes once someone turns the dial.
// Looks at: label (the temperature on the panel)

import Foundation
import Varve

final class SaunaOven: Sendable {
  let target = MutableProperty(80, named: "target")
  let isHeating = MutableProperty(true, named: "heating")

  func turnDial(by degrees: Int) {
    target.modify { $0 = min(max($0 + degrees, 60), 100) }
  }
}

final class SaunaPanel: Sendable {
  let label = MutableProperty("", named: "label")
  let lamp = MutableProperty("off", named: "lamp")

  init(oven: SaunaOven) {
    label <~ oven.target.signal.map { "\($0) °C" }  // culprit
    lamp <~ oven.isHeating.producer.map { $0 ? "red" : "green" }
  }

  func draw() {
    print("[\(label.value)] lamp \(lamp.value)")
  }
}

let oven = SaunaOven()
oven.turnDial(by: 5)
let panel = SaunaPanel(oven: oven)
panel.draw()
Thread.sleep(forTimeInterval: 0.1)
oven.isHeating.value = false
panel.draw()
