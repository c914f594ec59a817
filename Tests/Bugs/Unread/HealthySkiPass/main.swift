// Symptom: None; whoever changes the number of days quickly gets the price of the last.
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
      lifetime += network.schedule(after: .milliseconds(10 * days)) {
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
        .flatMap(.latest) { server.quote(days: $0) }
        .map { "\($0.days) days: \($0.euros) €" }
        .named("price"))
  }
}

let page = PassPage(server: PriceServer())
for taps in [[3], [7, 2], [6, 5, 4], [6, 2]] {
  for days in taps {
    page.days.value = days
    Thread.sleep(forTimeInterval: 0.015)
  }
  Thread.sleep(forTimeInterval: 0.12)
  print("tapped \(taps), \(page.price.value)")
}
