// Symptom: I choose diesel at the pump, and the receipt has the price of petrol. With the next customer
// it has the price of diesel, even if he takes petrol.
// Looks at: price (the price for a litre)
import Foundation
import Varve

enum Fuel: String {
  case petrol
  case diesel
}

/// The prices of today, in a file that the office changes.
final class PriceList {
  private let cents: [Fuel: Int] = [.petrol: 189, .diesel: 172]

  func price(of fuel: Fuel) -> Int {
    Thread.sleep(forTimeInterval: 0.003)
    return cents[fuel] ?? 0
  }
}

final class Pump {
  let fuel = MutableProperty(Fuel.petrol)
  let price = MutableProperty(0, named: "price")
  private let reading = QueueScheduler(name: "reading")

  init(_ list: PriceList) {
    price <~ fuel.producer.observe(on: reading).map { list.price(of: $0) }  // culprit
    price.producer.startWithValues { print("display: \($0)") }
  }

  func lift(_ nozzle: Fuel, litres: Int) -> String {
    fuel.value = nozzle
    return "\(litres) l \(nozzle.rawValue): \(litres * price.value)"
  }
}

let pump = Pump(PriceList())
Thread.sleep(forTimeInterval: 0.03)
let customers = [(Fuel.diesel, 40), (.petrol, 25), (.petrol, 10), (.diesel, 31), (.petrol, 8)]
for (fuel, litres) in customers {
  print("receipt: \(pump.lift(fuel, litres: litres))")
  Thread.sleep(forTimeInterval: 0.03)
}
