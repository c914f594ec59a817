// Symptom: The temperature on the panel of the kiln flickers, and the toolkit complains that a
// label is changed from a thread that is not its own.
// Looks at: celsius (the temperature on the panel)
import Foundation
import Varve

// Safety: it counts wrong threads, and is set again and again on one at a time.
final class Label: @unchecked Sendable {
  private(set) var complaints = 0
  var text = "" {
    didSet {
      if !Thread.isMainThread { complaints += 1 }
    }
  }
}

final class Thermocouple: Sendable {
  private let bus = QueueScheduler(name: "bus")

  /// Millivolts, as the converter sends them.
  var voltages: SignalProducer<Double, Never> {
    SignalProducer<Int, Never>.interval(.milliseconds(8), on: bus)
      .map { 24 + Double($0 % 9) * 0.31 }
      .take(first: 40)
  }
}

final class KilnPanel: Sendable {
  let temperature = Label()
  let cone = Label()
  private let filtering = QueueScheduler(name: "filtering")
  private let (lifetime, token) = Lifetime.make()

  init(_ thermocouple: Thermocouple) {
    let celsius = thermocouple.voltages
      .map { $0 / 0.041 }
      .observe(on: QueueScheduler.main)
      .throttle(.milliseconds(30), on: filtering)  // culprit
      .map { "\(Int($0)) °C" }
      .skipRepeats()
      .named("celsius")
    BindingTarget(lifetime: lifetime, object: temperature, keyPath: \.text) <~ celsius
    BindingTarget(lifetime: lifetime, object: cone, keyPath: \.text)
      <~ thermocouple.voltages
      .filter { $0 > 26 }
      .map { _ in "cone 022 bends" }
      .take(first: 1)
      .observe(on: QueueScheduler.main)
  }
}

let panel = KilnPanel(Thermocouple())
let end = Date(timeIntervalSinceNow: 0.6)
while Date() < end { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.05)) }
print("\(panel.temperature.text), \(panel.cone.text)")
print("complaints: \(panel.temperature.complaints) and \(panel.cone.complaints)")
