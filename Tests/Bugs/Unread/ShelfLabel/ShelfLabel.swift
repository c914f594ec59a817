// Symptom: A label that was moved to another article sometimes shows the price of the old one again.
// Looks at: text (the price on the label)

import Foundation
import Varve

final class Article: Sendable {
  let name: String
  let cents: MutableProperty<Int>

  init(_ name: String, cents: Int) {
    self.name = name
    self.cents = MutableProperty(cents, named: "price of \(name)")
  }
}

/// A small display at the shelf, which is moved from article to article.
final class ShelfLabel: Sendable {
  let title = MutableProperty("", named: "title")
  let price = MutableProperty("", named: "text")

  func show(_ article: Article) {
    title.value = article.name
    price <~ article.cents.producer.map { "\($0 / 100).\($0 % 100)" }  // culprit
  }

  var text: String { "\(title.value) \(price.value)" }
}

let honey = Article("Honey", cents: 549)
let olives = Article("Olives", cents: 385)
let label = ShelfLabel()
label.show(honey)
print(label.text)
label.show(olives)
print(label.text)
honey.cents.value = 499
print(label.text)
