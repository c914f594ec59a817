// Symptom: The total on the bill of lading is much too high: with each pallet it grows by all the
// pallets before it, too.
// Looks at: the weight of the load ("load")

import Foundation
import Varve

struct Pallet {
  var id: Int
  var kilograms: Int
}

final class Scale {
  let weighed: Signal<Pallet, Never>
  private let input: Signal<Pallet, Never>.Observer

  init() { (weighed, input) = Signal.pipe() }

  func put(_ pallet: Pallet) { input.send(value: pallet) }
  func close() { input.sendCompleted() }
}

final class BillOfLading {
  let pallets: Property<[Pallet]>
  let total: Property<Int>

  init(scale: Scale) {
    pallets = Property(
      initial: [], then: scale.weighed.scan(into: []) { list, pallet in list.append(pallet) })
    total = Property(
      initial: 0,
      then: pallets.signal
        .scan(0) { sum, list in  // culprit
          sum + list.reduce(0) { $0 + $1.kilograms }
        }
        .named("load"))
  }
}

let scale = Scale()
let bill = BillOfLading(scale: scale)
for (index, weight) in [420, 380, 510, 95].enumerated() {
  scale.put(Pallet(id: index, kilograms: weight))
  print("\(bill.pallets.value.count) pallets, \(bill.total.value) kg")
}
scale.close()
print("Truck may carry 1500 kg: \(bill.total.value > 1500 ? "overloaded" : "fine")")
