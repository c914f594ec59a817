// Symptom: I change the number of bottles in my basket from one to six, and the total stays what it was.
// Only when I add something else it is right.
// Looks at: the total of the basket ("total")

import Foundation
import Varve

struct Item: Sendable {
  let article: String
  let cents: Int
  var quantity: Int
}

final class Basket: Sendable {
  let items = MutableProperty<[Item]>([])

  func add(_ article: String, cents: Int) {
    items.modify { $0.append(Item(article: article, cents: cents, quantity: 1)) }
  }

  func set(_ article: String, to quantity: Int) {
    items.modify { items in
      guard let index = items.firstIndex(where: { $0.article == article }) else { return }
      items[index].quantity = quantity
    }
  }
}

final class BasketPanel: Sendable {
  let total: Property<Int>
  let line: Property<String>

  init(_ basket: Basket) {
    total = Property(
      initial: 0,
      then: basket.items.producer
        .skipRepeats { $0.map(\.article) == $1.map(\.article) }  // culprit
        .map { $0.reduce(0) { $0 + $1.cents * $1.quantity } }
        .named("total"))
    line = total.map { String(format: "Total: %d.%02d €", $0 / 100, $0 % 100) }
  }
}

let basket = Basket()
let panel = BasketPanel(basket)
basket.add("Riesling", cents: 890)
print("a bottle of Riesling. \(panel.line.value)")
basket.set("Riesling", to: 6)
print("make it six. \(panel.line.value)")
basket.add("Corkscrew", cents: 450)
print("and a corkscrew. \(panel.line.value)")
basket.set("Riesling", to: 2)
print("two bottles will do. \(panel.line.value)")
