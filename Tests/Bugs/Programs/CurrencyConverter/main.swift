// Symptom: I type 100 into the euro field, and both amounts begin to creep upwards by themselves,
// cent by cent.
// Looks at: the amount in euros (the property "euros")

import Foundation
import Varve

struct Rates {
  let selling = 1.0853
  let buying = 1.0851

  func dollars(_ euroCents: Int) -> Int { Int((Double(euroCents) * selling).rounded(.up)) }
  func euros(_ dollarCents: Int) -> Int { Int((Double(dollarCents) / buying).rounded(.up)) }
}

func text(_ cents: Int) -> String {
  String(format: "%.2f", Double(cents) / 100)
}

final class ConverterModel {
  let euros = MutableProperty(0, named: "euros")
  let dollars = MutableProperty(0)
  let euroText: Property<String>
  let dollarText: Property<String>
  private let rates = Rates()
  private let work = QueueScheduler(name: "converter")

  init() {
    euroText = euros.map(text)
    dollarText = dollars.map(text)
    let rates = self.rates
    dollars
      <~ euros.signal
      .skipRepeats()
      .map { rates.dollars($0) }
      .observe(on: work)
    euros
      <~ dollars.signal  // culprit
      .skipRepeats()
      .map { rates.euros($0) }
      .throttle(.milliseconds(1), on: work)
  }

  func type(euros amount: Int) { euros.value = amount * 100 }
}

let converter = ConverterModel()
converter.type(euros: 100)
for _ in 0..<5 {
  Thread.sleep(forTimeInterval: 0.15)
  print("€ \(converter.euroText.value)   $ \(converter.dollarText.value)")
}
