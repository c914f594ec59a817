// Symptom: None; this works.
// Looks at: the speed on the display ("display")

import Foundation
import Varve

struct Pulse {
  var number: Int
  var millimeters: Int
}

final class WheelSensor {
  private let sensor = QueueScheduler(name: "sensor")

  func pulses() -> SignalProducer<Pulse, Never> {
    SignalProducer.interval(.milliseconds(2), on: sensor)
      .map { Pulse(number: $0, millimeters: 15 + ($0 / 40) % 5) }
  }
}

final class Speedometer {
  let speed = MutableProperty(0.0)
  let text: Property<String>
  private let math = QueueScheduler(name: "math")

  init() { text = speed.map { String(format: "%.1f km/h", $0) } }

  func attach(to sensor: WheelSensor) {
    speed
      <~ sensor.pulses()
      .take(first: 400)
      .collect(every: .milliseconds(60), on: math, skipEmpty: true)
      .map { pulses in
        let meters = Double(pulses.reduce(0) { $0 + $1.millimeters }) / 1_000
        return meters / (0.002 * Double(max(pulses.count, 1))) * 3.6
      }
  }
}

final class Display {
  private let ui = QueueScheduler(name: "ui")
  private(set) var frames: [String] = []

  func show(_ speedometer: Speedometer) -> any Disposable {
    speedometer.text.producer
      .skipRepeats()
      .throttle(.milliseconds(100), on: ui)
      .named("display")
      .startWithValues { [unowned self] text in
        frames.append(text)
        Thread.sleep(forTimeInterval: 0.01)
      }
  }
}

let speedometer = Speedometer()
let display = Display()
let showing = display.show(speedometer)
speedometer.attach(to: WheelSensor())
Thread.sleep(forTimeInterval: 1.2)
showing.dispose()
print(display.frames.joined(separator: ", "))
