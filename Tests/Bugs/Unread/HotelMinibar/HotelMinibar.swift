// Symptom: The minibar's display shows its logo and never gets any further.
// Looks at: the price list ("prices")

import Foundation
import Varve

struct Price: Sendable {
  let name: String
  let cents: Int
}

final class PriceServer {
  private let network = QueueScheduler(name: "network")

  func fetch(room: Int) -> SignalProducer<[Price], Never> {
    SignalProducer { [network] observer, lifetime in
      lifetime += network.schedule(after: .milliseconds(20)) {
        observer.send(value: [Price(name: "water", cents: 300), Price(name: "nuts", cents: 550)])
        observer.sendCompleted()
      }
    }
  }
}

final class MinibarDisplay {
  private(set) var lines: [String] = []
  private let server = PriceServer()

  /// The prices, ready for the display.
  private func prices(room: Int) -> SignalProducer<[Price], Never> {
    server.fetch(room: room)
      .map { $0.sorted { $0.name < $1.name } }
      .observe(on: QueueScheduler.main)
      .named("prices")
  }

  func start(room: Int) {
    lines = ["Welcome"]
    let list = prices(room: room).waitForSingle()  // culprit
    if case .success(let prices) = list {
      lines = prices.map { "\($0.name) \(Double($0.cents) / 100) €" }
    }
  }
}

let display = MinibarDisplay()
print("starting")
display.start(room: 312)
RunLoop.main.run(until: Date().addingTimeInterval(0.1))
print(display.lines.joined(separator: "\n"))
