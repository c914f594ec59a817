// Symptom: None: the button is grey while a slip is printed, and a second tap is refused meanwhile.
// Looks at: the printing action ("print slip")

import Foundation
import Varve

final class SlipPrinter {
  private let device = QueueScheduler(name: "printer")

  func lines(_ count: Int) -> SignalProducer<Int, Never> {
    SignalProducer.interval(Array(1...count), interval: .milliseconds(5), on: device)
  }
}

final class KioskModel {
  let printSlip: Action<Int, Int, Never>
  let printed = MutableProperty(0)

  init(printer: SlipPrinter) {
    printSlip = Action { books in printer.lines(books + 1) }
    printed <~ printSlip.values.scan(0) { sum, _ in sum + 1 }
  }

  func tap(books: Int) {
    guard printSlip.isEnabled.value else { return print("Please wait, printing …") }
    printSlip.apply(books).start()
  }
}

let kiosk = KioskModel(printer: SlipPrinter())
for _ in 1...3 {
  kiosk.tap(books: 3)
  kiosk.tap(books: 3)
  Thread.sleep(forTimeInterval: 0.15)
}
print("lines printed: \(kiosk.printed.value), enabled: \(kiosk.printSlip.isEnabled.value)")
