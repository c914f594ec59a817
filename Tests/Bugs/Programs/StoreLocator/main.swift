// Symptom: The opening hours of the shops around me come one after the other; it takes seconds until
// the last one has them, and the shop that I want is always the last.
// Looks at: the opening hours ("hours")

import Foundation
import Varve

struct Shop {
  var id: Int
  var street: String
}

struct Hours {
  var shop: Int
  var closes: Int
}

final class Directory {
  private let network = QueueScheduler(name: "directory")

  func shops(near town: String) -> SignalProducer<[Shop], Never> {
    let shops = (1...12).map { Shop(id: $0, street: "\(town), Lange Straße \($0 * 4)") }
    return SignalProducer(value: shops)
      .delay(.milliseconds(20), on: network)
  }

  func hours(of shop: Shop) -> SignalProducer<Hours, Never> {
    SignalProducer(value: Hours(shop: shop.id, closes: 18 + shop.id % 3))
      .delay(.milliseconds(55), on: network)
  }
}

final class LocatorModel {
  let town = MutableProperty("")
  let shops: Property<[Shop]>
  let closing: Property<[Int: Int]>

  init(directory: Directory) {
    let found = town.signal
      .filter { !$0.isEmpty }
      .flatMap(.latest) { directory.shops(near: $0) }
    shops = Property(initial: [], then: found)
    closing = Property(
      initial: [:],
      then:
        found
        .flatMap(.latest) { shops in
          SignalProducer(shops)
            .flatMap(.concat) { directory.hours(of: $0) }  // culprit
            .named("hours")
            .scan(into: [:]) { closing, hours in closing[hours.shop] = hours.closes }
        })
  }
}

let model = LocatorModel(directory: Directory())
let start = Date()
model.closing.signal.observeValues { closing in
  guard closing.count == 1 || closing.count == 12 else { return }
  print("\(closing.count) after \(Int(Date().timeIntervalSince(start) * 1_000)) ms")
}
model.town.value = "Celle"
Thread.sleep(forTimeInterval: 0.9)
print("\(model.closing.value.count) of \(model.shops.value.count) shops have hours")
