// Symptom: The ticker never shows a price. The phone gets warm while the screen is open.
// Looks at: the prices ("prices")

import Foundation
import Varve

enum FeedError: Error {
  case unauthorized
  case offline
}

struct Quote {
  var symbol: String
  var cents: Int
}

final class QuoteServer {
  private let queue = QueueScheduler(name: "network")
  private let validToken = "k-2031"
  private(set) var connections = 0

  func connect(token: String) -> SignalProducer<Quote, FeedError> {
    SignalProducer { [self] observer, lifetime in
      connections += 1
      lifetime += queue.schedule(after: .milliseconds(2)) { [self] in
        guard token == validToken else {
          observer.send(error: .unauthorized)
          return
        }
        for cents in stride(from: 9_800, to: 10_200, by: 40) {
          observer.send(value: Quote(symbol: "ACME", cents: cents))
        }
        observer.sendCompleted()
      }
    }
  }
}

final class TickerModel {
  let line = MutableProperty("…")
  private let server: QuoteServer
  private let savedToken = "k-2024"

  init(server: QuoteServer) {
    self.server = server
    line
      <~ server.connect(token: savedToken)
      .retry()  // culprit
      .named("prices")
      .map { "\($0.symbol) \(Double($0.cents) / 100)" }
      .flatMapError { _ in SignalProducer(value: "not available") }
  }
}

let server = QuoteServer()
let model = TickerModel(server: server)
Thread.sleep(forTimeInterval: 1)
print("ticker shows \(model.line.value) after \(server.connections) connections")
