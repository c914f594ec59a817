// Symptom: I paid once, and the printer gives me two receipts, with two numbers.
// Looks at: printed (what comes out of the printer)
import Foundation
import Varve

struct Receipt {
  let number: Int
  let cents: Int
}

final class Printer {
  let printed = MutableProperty<[String]>([])
}

final class Till {
  let lastTotal = MutableProperty(0)
  let lastNumber = MutableProperty("")
  private let counter = MutableProperty(4_000)
  private let printer: Printer
  private let queue = QueueScheduler(name: "till")

  init(_ printer: Printer) { self.printer = printer }

  /// Prints the receipt.
  private func issue(_ cents: Int) -> SignalProducer<Receipt, Never> {
    SignalProducer { [counter, printer] observer, _ in
      let number = counter.modify { number -> Int in
        number += 1
        return number
      }
      printer.printed.modify { $0.append("receipt \(number): \(cents)") }
      observer.send(value: Receipt(number: number, cents: cents))
      observer.sendCompleted()
    }
    .start(on: queue)
  }

  func pay(_ cents: Int) {
    let receipt = issue(cents)
    lastTotal <~ receipt.map { $0.cents }
    lastNumber <~ receipt.map { "No. \($0.number)" }  // culprit
  }
}

let printer = Printer()
let till = Till(printer)
printer.printed.signal.named("printed").observeValues { print($0.last ?? "") }
till.pay(1_290)
Thread.sleep(forTimeInterval: 0.1)
print("display: \(till.lastTotal.value), \(till.lastNumber.value)")
