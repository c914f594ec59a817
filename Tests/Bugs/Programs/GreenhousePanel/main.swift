// Symptom: The panel in the greenhouse sometimes draws a torn number, and the checker says that a
// view was touched off the ui queue.
// Looks at: the temperatures that the panel shows ("shown")

import Foundation
import Varve

let ui = QueueScheduler(name: "ui")
let radio = QueueScheduler(name: "radio")
let uiKey = DispatchSpecificKey<Bool>()
ui.queue.setSpecific(key: uiKey, value: true)

final class Sensor {
  let readings: Signal<Double, Never>
  let alarms: Signal<Double, Never>
  private let readingInput: Signal<Double, Never>.Observer
  private let alarmInput: Signal<Double, Never>.Observer

  init() {
    (readings, readingInput) = Signal.pipe()
    (alarms, alarmInput) = Signal.pipe()
  }

  func simulate(_ count: Int) {
    for tick in 0..<count {
      radio.schedule(after: .milliseconds(8 * tick)) { [readingInput, alarmInput] in
        let celsius = 18 + Double(tick % 17)
        if celsius > 33 {
          alarmInput.send(value: celsius)
        } else {
          readingInput.send(value: celsius)
        }
      }
    }
  }
}

final class TemperatureLabel {
  private(set) var text = ""
  private(set) var violations = 0

  func draw(_ celsius: Double) {
    if DispatchQueue.getSpecific(key: uiKey) == nil { violations += 1 }
    text = "\(celsius) °C"
  }
}

let sensor = Sensor()
let label = TemperatureLabel()

Signal.merge(
  sensor.readings.observe(on: ui),
  sensor.alarms.map { min($0, 40) }  // culprit
)
.named("shown")
.observeValues { label.draw($0) }

sensor.simulate(100)
Thread.sleep(forTimeInterval: 1)
print("label \(label.text), drawn off the ui queue \(label.violations) times")
