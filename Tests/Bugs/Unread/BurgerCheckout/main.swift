// Symptom: I ordered once. While I waited I put a drink into the basket for later, and the kitchen
// started to cook my burgers a second time.
// Looks at: the orders that reach the kitchen ("orders")

import Foundation
import Varve

struct Basket: Equatable, Sendable {
  var items: [String] = []
  var table = 0
}

struct Order: Sendable {
  let number: Int
  let basket: Basket
}

final class Kitchen: @unchecked Sendable {
  private let queue = QueueScheduler(name: "kitchen")
  private let lock = NSLock()
  private var received: [Order] = []

  var count: Int { lock.withLock { received.count } }

  func place(_ basket: Basket) -> SignalProducer<Order, Never> {
    SignalProducer { [self] in
      lock.withLock {
        let order = Order(number: received.count + 1, basket: basket)
        received.append(order)
        return order
      }
    }
    .delay(.milliseconds(10), on: queue)
  }
}

final class CheckoutViewModel {
  let basket = MutableProperty(Basket())
  let tapOrder: Signal<Void, Never>.Observer
  let confirmations: Signal<Order, Never>

  init(kitchen: Kitchen) {
    let (taps, tapOrder) = Signal<Void, Never>.pipe()
    self.tapOrder = tapOrder
    confirmations =
      taps
      .combineLatest(with: basket.signal)  // culprit
      .map { _, basket in basket }
      .filter { !$0.items.isEmpty }
      .flatMap(.concat) { kitchen.place($0) }
      .named("orders")
  }
}

let kitchen = Kitchen()
let checkout = CheckoutViewModel(kitchen: kitchen)
let subscription = checkout.confirmations.observeValues { order in
  print("order \(order.number): \(order.basket.items.joined(separator: ", "))")
}

func moment() { Thread.sleep(forTimeInterval: 0.06) }

checkout.basket.modify { $0.table = 7 }
moment()
checkout.basket.modify { $0.items.append("cheeseburger") }
moment()
checkout.basket.modify { $0.items.append("veggie burger") }
moment()
checkout.tapOrder.send(value: ())
moment()
checkout.basket.modify { $0.items.append("lemonade") }
moment()
print("1 tap, \(kitchen.count) orders")
