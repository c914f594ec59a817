import Dispatch
import Varve

/// A button that orders. The receipt is shown, and kept in a list of receipts, and the shop gets two
/// orders for one press.
struct DoubleOrder {
  private let shop = QueueScheduler(name: "shop")

  func run() {
    let done = DispatchSemaphore(value: 0)
    let orders = MutableProperty(0, named: "orders")
    let receipt = MutableProperty("", named: "receipt")
    let receipts = MutableProperty<[String]>([], named: "receipts")
    let (presses, button) = Signal<String, Never>.pipe(named: "press")
    presses.observeValues { item in
      let order = place(item, orders)
      receipt <~ order
      order.startWithValues { receipts.value.append($0) }  // culprit
    }
    orders.signal.filter { $0 == 2 }.observeValues { _ in shop.schedule { done.signal() } }
    button.send(value: "tea")
    done.wait()
    print("pressed once; the shop has \(orders.value) orders")
  }

  /// Sends an order to the shop, which answers with a receipt.
  private func place(
    _ item: String, _ orders: MutableProperty<Int>
  ) -> SignalProducer<String, Never> {
    SignalProducer { observer, lifetime in
      lifetime += shop.schedule(after: .milliseconds(20)) {
        orders.modify { $0 += 1 }
        observer.send(value: "receipt for \(item)")
        observer.sendCompleted()
      }
    }.named("order")
  }
}
