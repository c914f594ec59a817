// Symptom: I gave one toaster. The shop says that I bought two.
// Looks at: the orders that reach the shop ("order")

import Foundation
import Varve

struct Confirmation {
  let number: Int
  let cents: Int
}

final class GiftShop {
  private let queue = QueueScheduler(name: "shop")
  private(set) var sold: [String] = []

  func order(_ gift: String, cents: Int) -> SignalProducer<Confirmation, Never> {
    SignalProducer<Confirmation, Never> { [queue] observer, lifetime in
      lifetime += queue.schedule(after: .milliseconds(10)) {
        self.sold.append(gift)
        observer.send(value: Confirmation(number: 7_000 + self.sold.count, cents: cents))
        observer.sendCompleted()
      }
    }
    .named("order")
  }
}

final class GiftPage {
  let receipt = MutableProperty("", named: "receipt")
  let total = MutableProperty(0, named: "total")
  private let shop: GiftShop

  init(shop: GiftShop) { self.shop = shop }

  func buy(_ gift: String, cents: Int) {
    let confirmation = shop.order(gift, cents: cents)
    receipt <~ confirmation.map { "Order \($0.number): \(gift)" }
    total <~ confirmation.map { $0.cents + 490 }  // culprit
  }
}

let shop = GiftShop()
let page = GiftPage(shop: shop)
page.buy("toaster", cents: 3_999)
Thread.sleep(forTimeInterval: 0.1)
print(page.receipt.value, page.total.value)
print("sold: \(shop.sold)")
