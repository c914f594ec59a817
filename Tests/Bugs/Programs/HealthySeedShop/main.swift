// Symptom: None. The search finds what I have typed last, also after a failure, and an order is
// placed once, even if I tap twice.
// Looks at: the seeds in the list ("found")

import Foundation
import Varve

enum ShopError: Error {
  case busy
  case offline
}

protocol SeedService: AnyObject, Sendable {
  func search(_ words: String) -> SignalProducer<[String], ShopError>
  func order(_ seed: String) -> SignalProducer<Int, ShopError>
}

final class SeedServer: SeedService {
  private let seeds = ["tomato", "tomatillo", "thyme", "turnip", "kale", "leek"]
  private let queue = QueueScheduler(name: "server")
  private let requests = MutableProperty(0)
  private let orders = MutableProperty(0)

  func search(_ words: String) -> SignalProducer<[String], ShopError> {
    SignalProducer { [seeds, requests] () -> Result<[String], ShopError> in
      requests.value += 1
      if words == "x" { return .failure(.offline) }
      if requests.value.isMultiple(of: 3) { return .failure(.busy) }
      return .success(seeds.filter { $0.hasPrefix(words) })
    }
    .start(on: queue)
    .delay(.milliseconds(words.count < 3 ? 50 : 10), on: queue)
  }

  func order(_ seed: String) -> SignalProducer<Int, ShopError> {
    SignalProducer { [orders] in
      orders.value += 1
      return orders.value
    }
    .start(on: queue)
    .delay(.milliseconds(40), on: queue)
  }
}

final class SeedShop {
  let words = MutableProperty("")
  let message = MutableProperty("")
  let found: Property<[String]>
  let order: Action<Void, Int, ShopError>

  init(_ service: any SeedService, on ui: QueueScheduler) {
    let results = words.signal
      .debounce(.milliseconds(20), on: ui)
      .skipRepeats()
      .flatMap(.latest) { [message] words in
        service.search(words)
          .retry(upTo: 1)
          .on(failed: { message.value = "No answer: \($0)" })
          .flatMapError { _ in SignalProducer<[String], Never>(value: []) }
      }
      .observe(on: ui)
    found = Property(initial: [], then: results)
    order = Action(unwrapping: found.map(\.first)) { service.order($0) }
    message <~ order.values.map { "Order \($0) is on its way" }.observe(on: ui)
  }
}

let shop = SeedShop(SeedServer(), on: QueueScheduler(name: "ui"))
shop.found.signal.named("found").observeValues { print($0) }
shop.message.signal.observeValues { print($0) }

for words in ["t", "to", "", "k", "x", "thy", "tom"] {
  shop.words.value = words
  Thread.sleep(forTimeInterval: words.isEmpty ? 0.01 : 0.04)
  if words == "k" { Thread.sleep(forTimeInterval: 0.1) }
}
Thread.sleep(forTimeInterval: 0.1)
shop.order.apply().start()
shop.order.apply().start()
Thread.sleep(forTimeInterval: 0.1)
shop.order.apply().start()
Thread.sleep(forTimeInterval: 0.1)
