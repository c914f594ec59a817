// Symptom: The door of the freezer was open all night, and the warning that should come when it
// is open for too long never came. All was well with the old sensor.
// Looks at: the warning on my phone ("warning")
import Foundation
import Varve

struct Status: Sendable, Equatable {
  let isOpen: Bool
  let celsius: Double
}

/// The new sensor sends its whole status many times a minute, the old one sent changes only.
final class DoorSensor {
  let statuses: Signal<Status, Never>
  private let input: Signal<Status, Never>.Observer

  init() { (statuses, input) = Signal.pipe() }

  func report(_ isOpen: Bool, _ celsius: Double) {
    input.send(value: Status(isOpen: isOpen, celsius: celsius))
  }
}

final class Freezer {
  let celsius: Property<Double>
  let warning: Signal<String, Never>

  init(_ sensor: DoorSensor, patience: Duration, on home: any TimedScheduler) {
    celsius = Property(
      initial: -18, then: sensor.statuses.producer.map { $0.celsius }.skipRepeats())
    warning = sensor.statuses
      .map { $0.isOpen }
      .flatMap(.latest) { isOpen -> SignalProducer<String, Never> in  // culprit
        guard isOpen else { return .empty }
        return SignalProducer(value: "The freezer is open!").delay(patience, on: home)
      }
      .named("warning")
  }
}

let sensor = DoorSensor()
let freezer = Freezer(sensor, patience: .milliseconds(120), on: QueueScheduler(name: "home"))
let warnings = MutableProperty<[String]>([])
warnings <~ freezer.warning.scan([]) { $0 + [$1] }
freezer.celsius.signal.observeValues { print("\($0.formatted())°") }

// Someone takes the peas out and closes the door, and then forgets it.
for step in 0..<30 {
  let isOpen = step == 2 || step == 3 || step > 6
  sensor.report(isOpen, -18 + Double(max(0, step - 8)) / 2)
  Thread.sleep(forTimeInterval: 0.022)
}
Thread.sleep(forTimeInterval: 0.01)
print("warnings: \(warnings.value), \(freezer.celsius.value.formatted())°")
sensor.report(false, freezer.celsius.value)
