// Symptom: I set the paint to 10 litres, and the fields for litres and for cans change each other on
// and on; the fan of the shop's computer runs all day.
// Looks at: litres (the field on the left)
import Foundation
import Varve

struct Order {
  let litres: MutableProperty<Double>
  let cans: MutableProperty<Double>

  init() {
    litres = MutableProperty(0, named: "litres")
    cans = MutableProperty(0, named: "cans")
  }
}

/// A can holds 0.75 litres; one of the fields follows the other.
final class MixerForm {
  private let order: Order
  private let leftField = QueueScheduler(name: "left field")
  private let rightField = QueueScheduler(name: "right field")
  let label: Property<String>

  init(_ order: Order) {
    self.order = order
    label = order.litres.combineLatest(with: order.cans)
      .map { String(format: "%.2f l in %.1f cans", $0, $1) }
    bind()
  }

  private func bind() {
    order.cans
      <~ order.litres.signal
      .observe(on: rightField)
      .map { ($0 / 0.75 * 10).rounded() / 10 }
    order.litres
      <~ order.cans.signal  // culprit
      .observe(on: leftField)
      .map { ($0 * 0.75 * 100).rounded() / 100 }
  }

  func enter(litres: Double) { order.litres.value = litres }
  func enter(cans: Double) { order.cans.value = cans }
}

let form = MixerForm(Order())
form.enter(litres: 10)
Thread.sleep(forTimeInterval: 0.15)
print(form.label.value)
