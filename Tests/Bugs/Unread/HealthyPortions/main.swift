// Symptom: None; the number of servings and the amount of flour follow each other, and come to rest.
// Looks at: the flour in the dough (the property "flour")

import Foundation
import Varve

/// A pizza has 160 g of flour; both fields of the page can be changed.
enum Dough {
  static func flour(for pizzas: Int) -> Int { pizzas * 160 }
  static func pizzas(from flour: Int) -> Int { (flour + 80) / 160 }
}

final class RecipePage: Sendable {
  let pizzas = MutableProperty(4)
  let flour = MutableProperty(640, named: "flour")
  let summary: Property<String>
  private let work = QueueScheduler(name: "recipe")

  init() {
    summary = pizzas.combineLatest(with: flour).map { "\($0) pizzas from \($1) g" }
    flour
      <~ pizzas.signal
      .skipRepeats()
      .map { Dough.flour(for: $0) }
      .observe(on: work)
    pizzas
      <~ flour.signal
      .skipRepeats()
      .map { Dough.pizzas(from: $0) }
      .observe(on: work)
  }
}

let page = RecipePage()
print(page.summary.value)
for guests in [6, 9, 3] {
  page.pizzas.value = guests
  Thread.sleep(forTimeInterval: 0.1)
  print(page.summary.value)
}
for grams in [1_000, 400] {
  page.flour.value = grams
  Thread.sleep(forTimeInterval: 0.1)
  print(page.summary.value)
}
