// Symptom: I put four things into my cart and one of them is sold out. The total at the bottom is
// only as much as the sold-out one costs.
// Looks at: total (the price at the bottom of the cart)
import Foundation
import Varve

struct Article: Equatable {
  var title: String
  var cents: Int
  var isSoldOut: Bool
}

final class Cart {
  let total: Property<Int>
  private let added: Signal<Article, Never>
  private let addedInput: Signal<Article, Never>.Observer

  init() {
    (added, addedInput) = Signal<Article, Never>.pipe()
    total = Property(
      initial: 0,
      then:
        added
        .filter { $0.isSoldOut }  // culprit
        .map { $0.cents }
        .scan(0) { $0 + $1 }
        .named("total"))
  }

  func add(_ article: Article) {
    addedInput.send(value: article)
  }
}

func price(_ cents: Int) -> String {
  String(format: "%d.%02d", cents / 100, cents % 100)
}

let cart = Cart()
cart.total.producer.startWithValues { print("Total: \(price($0))") }

cart.add(Article(title: "Kettle", cents: 3490, isSoldOut: false))
cart.add(Article(title: "Tea strainer", cents: 495, isSoldOut: false))
cart.add(Article(title: "Cup, blue", cents: 1250, isSoldOut: true))
cart.add(Article(title: "Cup, white", cents: 1150, isSoldOut: false))

print("Pay \(price(cart.total.value))")
