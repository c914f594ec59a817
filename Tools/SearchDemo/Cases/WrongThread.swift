import Dispatch
import Varve

/// A price tag. Prices come from the network and are shown by the interface's queue; discounts come
/// from the network as well, and now and then the tag flickers.
struct WrongThread {
  private let interface = QueueScheduler(name: "interface")
  private let network = QueueScheduler(name: "network")

  func run() {
    let done = DispatchSemaphore(value: 0)
    let (prices, priceInput) = Signal<Int, Never>.pipe(named: "price")
    let (discounts, discountInput) = Signal<Int, Never>.pipe(named: "discount")
    let shown = prices.observe(on: interface)
    let reduced = discounts.map { 100 - $0 }  // culprit
    let tag = Signal.merge(shown, reduced).named("tag")
    tag.observeValues { _ in }
    shown.observeCompleted { done.signal() }
    network.schedule { for price in 1...20 { priceInput.send(value: 100 + price) } }
    network.schedule(after: .milliseconds(50)) {
      discountInput.send(value: 10)
      discountInput.send(value: 15)
      priceInput.sendCompleted()
    }
    done.wait()
    print("the tag was set on two queues")
  }
}
