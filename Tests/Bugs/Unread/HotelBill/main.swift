// Symptom: A guest asks to pay in dollars, and the bill has the number of euros with a dollar sign. When I
// print it again it is right.
// Looks at: the rate of exchange ("rate")

import Foundation
import Varve

struct Rates: Sendable {
  private let table = ["EUR": 1.0, "USD": 1.09, "CHF": 0.94, "SEK": 11.2]

  /// Looks into the book of the day.
  func rate(of currency: String) -> Double {
    Thread.sleep(forTimeInterval: 0.005)
    return table[currency] ?? 1
  }
}

final class BillModel: Sendable {
  let currency = MutableProperty("EUR")
  let rate = MutableProperty(1.0, named: "rate")
  let euros = MutableProperty(0.0)
  private let work = QueueScheduler(name: "work")

  init(rates: Rates) {
    rate <~ currency.signal.observe(on: work).map { rates.rate(of: $0) }  // culprit
  }

  func bill(in wanted: String) -> String {
    currency.value = wanted
    let amount = euros.value * rate.value
    return String(format: "%.2f ", amount) + wanted
  }
}

let model = BillModel(rates: Rates())
for (room, nights) in [(12, 3), (31, 1)] {
  model.euros.value = Double(nights) * 118
  for currency in ["EUR", "USD"] {
    print("room \(room): \(model.bill(in: currency))")
    Thread.sleep(forTimeInterval: 0.05)
  }
  print("room \(room), again: \(model.bill(in: "USD"))")
  Thread.sleep(forTimeInterval: 0.05)
}
