// Symptom: The heater was broken and the fish had 19 degrees for a night. The app, which had shown
// me the falling curve, sent no message to my phone.
// Looks at: messages (what comes to my phone)
import Foundation
import Varve

final class Thermometer: Sendable {
  private let wire = QueueScheduler(name: "thermometer")

  func degrees() -> SignalProducer<Double, Never> {
    SignalProducer.interval(.milliseconds(12), on: wire).map { 25.5 - Double($0) * 0.25 }
  }
}

final class Phone: Sendable {
  let messages: Signal<String, Never>
  private let input: Signal<String, Never>.Observer

  init() { (messages, input) = Signal.pipe() }

  func push(_ text: String) { input.send(value: text) }
}

final class Aquarium: Sendable {
  let degrees: Property<Double>

  init(_ thermometer: Thermometer) {
    degrees = Property(initial: 25.5, then: thermometer.degrees())
  }

  /// Calls `alarm` when the water gets too cold, for as long as the result is kept.
  func watch(
    below limit: Double, alarm: @escaping @Sendable (Double) -> Void
  ) -> ScopedDisposable<AnyDisposable> {
    ScopedDisposable(
      degrees.producer
        .map { $0 < limit ? $0 : nil }
        .skipRepeats { ($0 == nil) == ($1 == nil) }
        .skipNil()
        .startWithValues(alarm))
  }
}

final class AquariumApp {
  let aquarium: Aquarium
  let phone: Phone
  private var curve: [Double] = []

  init(_ aquarium: Aquarium, phone: Phone) {
    self.aquarium = aquarium
    self.phone = phone
  }

  func launch() {
    _ = aquarium.watch(below: 22) { [phone] degrees in  // culprit
      phone.push("Only \(degrees) degrees in the aquarium!")
    }
  }

  func drawCurve() {
    curve.append(aquarium.degrees.value)
    print("curve: \(curve.map { String($0) }.joined(separator: " "))")
  }
}

let phone = Phone()
phone.messages.named("messages").observeValues { print("phone: \($0)") }
let app = AquariumApp(Aquarium(Thermometer()), phone: phone)
app.launch()
for _ in 1...5 {
  Thread.sleep(forTimeInterval: 0.09)
  app.drawCurve()
}
