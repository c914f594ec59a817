// Symptom: After I print one slip, the button "Print" stays grey for ever.
// Looks at: the printing action ("print slip")

import Foundation
import Varve

struct Slip {
  var reader: String
  var books: Int
}

final class SlipPrinter {
  let paper: Signal<Int, Never>
  private let input: Signal<Int, Never>.Observer
  private let device = QueueScheduler(name: "printer")

  init() { (paper, input) = Signal.pipe() }

  func feed(_ slip: Slip) {
    for line in 1...(slip.books + 1) {
      device.schedule(after: .milliseconds(5 * line)) { [input] in input.send(value: line) }
    }
  }
}

final class KioskModel {
  let printSlip: Action<Slip, Int, Never>
  private(set) var printed = 0

  init(printer: SlipPrinter) {
    printSlip = Action { slip in
      SignalProducer(printer.paper)  // culprit
        .filter { $0 > 0 }
        .on(started: { printer.feed(slip) })
    }
    printSlip.values.observeValues { [weak self] _ in self?.printed += 1 }
    printSlip.disabledErrors.observeValues { print("Please wait, printing …") }
  }

  func tap(_ slip: Slip) { printSlip.apply(slip).start() }
}

let kiosk = KioskModel(printer: SlipPrinter())
for reader in ["Ada", "Bo", "Cleo"] {
  kiosk.tap(Slip(reader: reader, books: 3))
  Thread.sleep(forTimeInterval: 0.1)
}
print("lines printed: \(kiosk.printed), button enabled: \(kiosk.printSlip.isEnabled.value)")
