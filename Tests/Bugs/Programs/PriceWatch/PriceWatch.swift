// Symptom: The price of the camera fell to 399, below the 400 that I had set, and I was not told. When
// it was dear again I got the message “Now 449!”.
// Looks at: notifications (what appears on the lock screen)
import Foundation
import Varve

struct Offer: Equatable {
  let article: String
  let euros: Int
}

final class Shop: Sendable {
  private let network = QueueScheduler(name: "shop")

  func offers(for article: String) -> SignalProducer<Offer, Never> {
    SignalProducer.interval(
      [420, 430, 399, 399, 449], interval: .milliseconds(20), on: network
    )
    .map { Offer(article: article, euros: $0) }
  }
}

final class PriceWatch {
  let notifications = MutableProperty<[String]>([])
  private var offers = MutableProperty<Offer?>(nil)

  func watch(_ article: String, below limit: Int, in shop: Shop) {
    offers <~ shop.offers(for: article).map { $0 as Offer? }
    notifications
      <~ offers.signal.skipNil()
      .skipRepeats()
      .combinePrevious()
      .filter { $0.euros < limit && $1.euros >= limit }  // culprit
      .map { "\($1.article): now \($1.euros)!" }
      .scan([]) { $0 + [$1] }
  }
}

let watch = PriceWatch()
watch.notifications.signal.named("notifications").observeValues { print("🔔 \($0.last ?? "")") }
watch.watch("Camera", below: 400, in: Shop())
Thread.sleep(forTimeInterval: 0.4)
