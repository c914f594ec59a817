// Symptom: The warning of low pressure in the cabin never appears.
// Looks at: warnings (what the crew is warned of)

import Foundation
import Varve

final class PressureSensor: Sendable {
  let hectopascals: Signal<Int, Never>
  private let input: Signal<Int, Never>.Observer

  init() {
    (hectopascals, input) = Signal.pipe(named: "pressure")
  }

  func measure(_ value: Int) {
    input.send(value: value)
  }
}

final class WarningPanel: Sendable {
  let lines = MutableProperty<[String]>([], named: "lines")

  func watch(_ sensor: PressureSensor) {
    let (whileShown, _) = Lifetime.make()  // culprit
    sensor.hectopascals
      .filter { $0 < 750 }
      .map { "pressure \($0) hPa" }
      .take(during: whileShown)
      .named("warnings")
      .observeValues { [lines] text in lines.modify { $0.append(text) } }
  }
}

let sensor = PressureSensor()
let panel = WarningPanel()
panel.watch(sensor)
for pressure in [812, 790, 748, 731, 760] {
  sensor.measure(pressure)
  Thread.sleep(forTimeInterval: 0.02)
}
print(panel.lines.value.isEmpty ? "no warnings" : panel.lines.value.joined(separator: ", "))
