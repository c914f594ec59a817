// Symptom: When I change the number of hours, the invoice shows for a blink a total that fits
// neither the old nor the new hours; the print-out once had it too.
// Looks at: the total line ("total")

import Foundation
import Varve

struct Totals: Equatable {
  var net: Int
  var tax: Int
  var gross: Int { net + tax }
}

final class InvoiceModel {
  let hours = MutableProperty(1)
  let rate = 8_000
  private(set) var printed: [String] = []
  private var total: Property<Totals>

  init() {
    let rate = self.rate
    let net = hours.map { $0 * rate }
    let tax = hours.map { $0 * rate * 19 / 100 }
    total = net.combineLatest(with: tax)  // culprit
      .map { Totals(net: $0, tax: $1) }
    total.signal.named("total").observeValues { [unowned self] in show($0) }
  }

  private func show(_ totals: Totals) {
    printed.append("\(totals.net) + \(totals.tax) = \(totals.gross)")
  }
}

let invoice = InvoiceModel()
for hours in [2, 5, 8, 7, 12] {
  invoice.hours.value = hours
  Thread.sleep(forTimeInterval: 0.02)
}
print(invoice.printed.joined(separator: "\n"))
