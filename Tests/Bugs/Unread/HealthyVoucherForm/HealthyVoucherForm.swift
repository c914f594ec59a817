// Symptom: None; this works.
// Looks at: orders (what is ordered)

import Foundation
import Varve

final class VoucherForm: Sendable {
  let amount = MutableProperty(25, named: "amount")
  let greeting = MutableProperty("", named: "greeting")
  let preview: Property<String>
  let orders: Signal<String, Never>
  private let button: Signal<Void, Never>.Observer

  init() {
    let (taps, button) = Signal<Void, Never>.pipe(named: "order taps")
    self.button = button
    let letter = Property.combineLatest(amount, greeting)
    preview = letter.map { "\($0) euros: \($1)" }
    orders = taps.withLatest(from: letter.producer)
      .map { "\($1.0) euros with “\($1.1)”" }
      .named("orders")
  }

  func order() {
    button.send(value: ())
  }
}

let form = VoucherForm()
form.orders.observeValues { print("order: \($0)") }
let wish = "Happy birthday"
for end in 1...wish.count {
  form.greeting.value = String(wish.prefix(end))
  Thread.sleep(forTimeInterval: 0.005)
}
form.amount.value = 40
print(form.preview.value)
form.order()
form.greeting.value = "Good luck"
form.amount.value = 15
form.order()
