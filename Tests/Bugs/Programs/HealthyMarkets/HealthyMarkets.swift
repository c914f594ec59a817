// Symptom: None. The connection breaks now and then and comes back, and the price is always the last one.
// Looks at: price (the number on the page)
import Foundation
import Varve

enum SocketError: Error {
  case dropped
}

final class PriceSocket: Sendable {
  private let connections = MutableProperty(0)
  private let network = QueueScheduler(name: "network")

  /// The first two connections are dropped after some prices.
  func connect() -> SignalProducer<Int, SocketError> {
    SignalProducer { [connections, network] observer, lifetime in
      let number = connections.modify { count -> Int in
        count += 1
        return count
      }
      for step in 0..<4 {
        lifetime += network.schedule(after: .milliseconds(12 * (step + 1))) {
          observer.send(value: 1_000 * number + step / 2)
        }
      }
      lifetime += network.schedule(after: .milliseconds(60)) {
        if number < 3 { observer.send(error: .dropped) } else { observer.sendCompleted() }
      }
    }
  }
}

final class MarketModel {
  let price: Property<Int>
  let isLate = MutableProperty(false)

  init(_ socket: PriceSocket, clock: any TimedScheduler) {
    price = Property(
      initial: 0,
      then: socket.connect()
        .on(
          failed: { [isLate] _ in isLate.value = true },
          value: { [isLate] _ in isLate.value = false }
        )
        .retry(upTo: 4, interval: .milliseconds(30), on: clock)
        .flatMapError { [isLate] _ in
          isLate.value = true
          return .empty
        }
        .skipRepeats())
  }
}

final class MarketPage {
  private let model: MarketModel

  init(_ model: MarketModel) {
    self.model = model
    model.price.signal.named("price").observeValues { print("price: \($0)") }
    model.isLate.signal.skipRepeats().observeValues { print($0 ? "(prices are late)" : "(live)") }
  }

  var text: String { "\(model.price.value)\(model.isLate.value ? "?" : "")" }
}

let page = MarketPage(MarketModel(PriceSocket(), clock: QueueScheduler(name: "clock")))
Thread.sleep(forTimeInterval: 0.5)
print("page: \(page.text)")
