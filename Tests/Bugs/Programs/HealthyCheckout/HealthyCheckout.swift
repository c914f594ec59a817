// Symptom: None. The order is sent once, and its number is shown.
// Looks at: confirmation (the text on the last page)
import Foundation
import Varve

enum OrderError: Error {
  case soldOut
  case connectionLost
}

final class Shop: Sendable {
  private let queue = QueueScheduler(name: "shop")
  let attempts = MutableProperty(0)

  func order(_ cents: Int) -> SignalProducer<Int, OrderError> {
    SignalProducer { [attempts] () -> Result<Int, OrderError> in
      let attempt = attempts.modify { count -> Int in
        count += 1
        return count
      }
      return attempt == 1 ? .failure(.connectionLost) : .success(70_000 + attempt)
    }
    .start(on: queue)
  }
}

final class Checkout {
  let cents = MutableProperty(0)
  let confirmation = MutableProperty("")
  let order: Action<Void, Int, OrderError>

  init(_ shop: Shop, on scheduler: any TimedScheduler) {
    order = Action(state: cents, enabledIf: { $0 > 0 }) { cents, _ in
      shop.order(cents).retry(upTo: 2, interval: .milliseconds(20), on: scheduler)
    }
    confirmation <~ order.values.map { "Order \($0): thank you" }
    confirmation <~ order.errors.map { "That did not work: \($0)" }
  }

  func press() {
    order.apply().start()
  }
}

let shop = Shop()
let checkout = Checkout(shop, on: QueueScheduler(name: "checkout"))
checkout.confirmation.signal.named("confirmation").observeValues { print($0) }
checkout.order.isEnabled.producer.startWithValues { print("button \($0 ? "blue" : "grey")") }
checkout.cents.value = 4_995
checkout.press()
Thread.sleep(forTimeInterval: 0.3)
