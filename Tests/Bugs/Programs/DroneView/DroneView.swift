// Symptom: While the drone flies, the debugger warns at every new reading that a label was set in the
// background.
// Looks at: battery (the label with the charge)
import Foundation
import Varve

struct Telemetry {
  let height: Double
  let volts: Double
}

final class Drone {
  let telemetry: Signal<Telemetry, Never>
  private let input: Signal<Telemetry, Never>.Observer
  private let radio = QueueScheduler(name: "radio")

  init() { (telemetry, input) = Signal.pipe(named: "telemetry") }

  func fly() {
    for step in 1...6 {
      radio.schedule(after: .milliseconds(30 * step)) { [input] in
        input.send(value: Telemetry(height: Double(step) * 2, volts: 12.6 - 0.1 * Double(step)))
      }
    }
  }
}

final class BatteryModel: Sendable {
  private let worker = QueueScheduler(name: "estimates")

  func percent(at volts: Double) -> SignalProducer<Int, Never> {
    SignalProducer { Int(((volts - 9.6) / 3 * 100).rounded()) }.start(on: worker)
  }
}

final class Label {
  private(set) var warnings = 0
  var text = "" {
    didSet {
      if !Thread.isMainThread { warnings += 1 }
      print(text, Thread.isMainThread ? "" : "(label set in the background!)")
    }
  }
}

final class FlightController {
  let height = Label()
  let charge = Label()

  init(_ drone: Drone, batteries: BatteryModel) {
    drone.telemetry
      .observe(on: QueueScheduler.main)
      .observeValues { [height] in height.text = "\($0.height) m" }
    drone.telemetry
      .map { $0.volts }
      .observe(on: QueueScheduler.main)  // culprit
      .flatMap(.latest) { batteries.percent(at: $0) }
      .map { "\($0) %" }
      .named("battery")
      .observeValues { [charge] in charge.text = $0 }
  }
}

let drone = Drone()
let controller = FlightController(drone, batteries: BatteryModel())
drone.fly()
RunLoop.main.run(until: Date().addingTimeInterval(0.35))
print("warnings: \(controller.height.warnings) and \(controller.charge.warnings)")
