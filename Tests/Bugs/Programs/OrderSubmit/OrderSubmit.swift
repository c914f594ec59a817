// Symptom: I ordered one pizza, and two were delivered, both paid with my card.
// Looks at: orders (what arrives in the kitchen)
import Foundation
import Varve

struct Confirmation {
  let order: Int
  let minutes: Int
}

final class Kitchen: Sendable {
  let orders = MutableProperty<[String]>([])
}

final class PizzaService: Sendable {
  let kitchen = Kitchen()
  private let queue = QueueScheduler(name: "orders")

  func submit(_ pizza: String) -> SignalProducer<Confirmation, Never> {
    SignalProducer { [kitchen] in
      let count = kitchen.orders.modify { list -> Int in
        list.append(pizza)
        return list.count
      }
      return Confirmation(order: count, minutes: 20 + 5 * count)
    }
    .start(on: queue)
    .delay(.milliseconds(20), on: queue)
  }
}

final class OrderScreen {
  let pizza = MutableProperty("Margherita")
  let number = MutableProperty("")
  let arrival = MutableProperty("")
  private let (taps, tap) = Signal<Void, Never>.pipe()

  init(_ service: PizzaService) {
    let confirmation = pizza.producer
      .sample(on: taps)
      .flatMap(.concat) { service.submit($0) }
    number <~ confirmation.map { "Order \($0.order)" }
    arrival <~ confirmation.filter { $0.minutes > 0 }.map { "in \($0.minutes) minutes" }  // culprit
  }

  func orderTapped() {
    tap.send(value: ())
  }
}

let service = PizzaService()
let screen = OrderScreen(service)
service.kitchen.orders.signal.named("orders").observeValues { print("kitchen: \($0)") }
screen.pizza.value = "Funghi"
screen.orderTapped()
Thread.sleep(forTimeInterval: 0.2)
print("\(screen.number.value) \(screen.arrival.value)")
