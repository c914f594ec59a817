// Symptom: None. The field for litres and the one for cans follow each other, and come to rest.
// Looks at: litres (the field on the left)
import Foundation
import Varve

final class Order {
  let litres = MutableProperty(0.0, named: "litres")
  let cans = MutableProperty(0, named: "cans")
}

final class MixerForm {
  private let order: Order
  private let (typedLitres, leftField) = Signal<Double, Never>.pipe()
  private let (typedCans, rightField) = Signal<Int, Never>.pipe()
  let label: Property<String>

  init(_ order: Order) {
    self.order = order
    label = order.litres.map { String(format: "%.2f l", $0) }
    // What the user types in one field changes both, and a field never changes the other.
    order.litres <~ typedLitres
    order.cans <~ typedLitres.map { Int(($0 / 0.75).rounded(.up)) }
    order.cans <~ typedCans
    order.litres <~ typedCans.map { Double($0) * 0.75 }
  }

  func enter(litres: Double) { leftField.send(value: litres) }
  func enter(cans: Int) { rightField.send(value: cans) }
}

let order = Order()
let form = MixerForm(order)
form.label.signal.observeValues { print($0) }
for litres in [10, 2.5, 4] {
  form.enter(litres: litres)
  Thread.sleep(forTimeInterval: 0.01)
}
form.enter(cans: 8)
print("\(order.cans.value) cans with \(form.label.value)")
