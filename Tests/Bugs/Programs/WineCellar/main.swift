// Symptom: The number on the display is sometimes drawn in the background, and the display complains.
// Looks at: the humidity that is drawn ("humidity")

import Foundation
import Varve

final class Display {
  private(set) var complaints = 0

  func draw(_ text: String) {
    if !Thread.isMainThread { complaints += 1 }
  }
}

final class HumiditySensor {
  private let bus = QueueScheduler(name: "i2c")

  func readings() -> SignalProducer<Double, Never> {
    SignalProducer.interval([61.5, 61.7, 64.0, 66.2], interval: .milliseconds(10), on: bus)
  }
}

final class CellarPanel {
  private let display: Display
  private let sensor = HumiditySensor()

  init(display: Display) { self.display = display }

  func show(whenDone done: @escaping () -> Void) {
    sensor.readings()
      .skipRepeats()
      .map { "\(Int($0.rounded())) %" }
      .start(on: UIScheduler())  // culprit
      .named("humidity")
      .on(completed: done)
      .startWithValues { [display] in display.draw($0) }
  }
}

let display = Display()
let panel = CellarPanel(display: display)
var isDone = false
panel.show { DispatchQueue.main.async { isDone = true } }
while !isDone { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.01)) }
print("complaints: \(display.complaints)")
