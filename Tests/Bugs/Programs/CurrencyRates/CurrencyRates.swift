// Symptom: The converter shows “0.00” after the start, whatever amount is there. Only when I type
// another amount there is a result.
// Looks at: converted (the amount in the other currency)
import Foundation
import Varve

final class Rates: Sendable {
  let euro = MutableProperty(1.0)
  private let network = QueueScheduler(name: "rates")

  func load() {
    euro <~ SignalProducer(value: 1.0832).delay(.milliseconds(30), on: network)
  }
}

final class Converter {
  let amount: MutableProperty<Double>
  let converted: Property<String>

  init(_ rates: Rates, lastAmount: Double, on interface: any Scheduler) {
    amount = MutableProperty(lastAmount)
    converted = Property(
      initial: "0.00",
      then: amount.signal  // culprit
        .combineLatest(with: rates.euro.signal)
        .observe(on: interface)
        .filter { $0.0 >= 0 }
        .map { String(format: "%.2f", $0 * $1) })
  }
}

let rates = Rates()
let converter = Converter(rates, lastAmount: 250, on: QueueScheduler(name: "interface"))
converter.converted.producer.named("converted").startWithValues { print("= \($0)") }

rates.load()
Thread.sleep(forTimeInterval: 0.2)
print("after the start: \(converter.amount.value) is \(converter.converted.value)")
converter.amount.value = 100
Thread.sleep(forTimeInterval: 0.1)
print("after typing: \(converter.amount.value) is \(converter.converted.value)")
