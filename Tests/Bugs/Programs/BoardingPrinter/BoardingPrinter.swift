// Symptom: One boarding pass is printed. From then on the button stays grey, and taps do nothing.
// Looks at: print (the action of the button)

import Foundation
import Varve

final class PassPrinter: Sendable {
  /// How much paper is left; the printer tells it as long as it is plugged in.
  let paper: Signal<Int, Never>
  private let sensor: Signal<Int, Never>.Observer
  private let motor = QueueScheduler(name: "motor")

  init() {
    (paper, sensor) = Signal.pipe(named: "paper")
  }

  func run(_ pass: String) -> SignalProducer<String, Never> {
    SignalProducer(value: "printed \(pass)")
      .delay(.milliseconds(20), on: motor)
      .on(value: { [sensor] _ in sensor.send(value: 180) })
  }
}

final class Kiosk: Sendable {
  let print: Action<String, String, Never>
  let status = MutableProperty("ready", named: "status")

  init(printer: PassPrinter) {
    print = Action(named: "print") { pass in
      printer.run(pass)
        .merge(with: printer.paper.producer.map { "\($0) sheets left" })  // culprit
    }
    status <~ print.values
  }

  func tapped(_ pass: String) {
    guard print.isEnabled.value else { return }
    print.apply(pass).start()
  }
}

let kiosk = Kiosk(printer: PassPrinter())
for pass in ["Ito 14C", "Okoro 3A", "Lund 22F"] {
  kiosk.tapped(pass)
  Thread.sleep(forTimeInterval: 0.08)
  print("\(pass): \(kiosk.status.value), button \(kiosk.print.isEnabled.value ? "on" : "grey")")
}
