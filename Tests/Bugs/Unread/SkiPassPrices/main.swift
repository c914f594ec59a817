// Symptom: I choose a pass for six days, and change my mind and tap two. The page shows two days, and
// the price of six.
// Looks at: the price that is shown ("price")

import Foundation
import Varve

struct Quote: Sendable {
  let days: Int
  let euros: Int
}

final class PriceServer: Sendable {
  private let network = QueueScheduler(name: "network")

  /// Quotes for many days take longer, because the server looks for discounts.
  func quote(days: Int) -> SignalProducer<Quote, Never> {
    SignalProducer { [network] observer, lifetime in
      lifetime += network.schedule(after: .milliseconds(15 * days)) {
        observer.send(value: Quote(days: days, euros: 58 * days - days * days))
        observer.sendCompleted()
      }
    }
  }
}

final class PassPage: Sendable {
  let days = MutableProperty(1)
  let price: Property<String>

  init(server: PriceServer) {
    price = Property(
      initial: "",
      then: days.producer
        .skipRepeats()
        .flatMap(.merge) { server.quote(days: $0) }  // culprit
        .map { "\($0.euros) €" }
        .named("price"))
  }
}

let page = PassPage(server: PriceServer())

func show(after pause: TimeInterval) {
  Thread.sleep(forTimeInterval: pause)
  print("\(page.days.value) days: \(page.price.value)")
}

show(after: 0.1)
page.days.value = 2
show(after: 0.1)
page.days.value = 6
Thread.sleep(forTimeInterval: 0.02)
page.days.value = 2
show(after: 0.05)
show(after: 0.15)
