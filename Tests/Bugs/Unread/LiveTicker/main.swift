// Symptom: When the score server restarts, my phone gets warm, and the people of the server see
// requests by the hundred from every phone until it is up again.
// Looks at: the scores that the server sends ("scores")

import Foundation
import Varve

struct Score: Sendable {
  let home: Int
  let away: Int
}

enum TickerError: Error {
  case unavailable
}

/// The server: it is down for a while after its start.
final class ScoreServer: @unchecked Sendable {
  private let network = QueueScheduler(name: "network")
  private let lock = NSLock()
  private let upAgain = Date().addingTimeInterval(0.35)
  private var count = 0

  var requests: Int { lock.withLock { count } }

  func connect() -> SignalProducer<Score, TickerError> {
    SignalProducer { [self] () -> Result<Void, TickerError> in
      lock.withLock { count += 1 }
      return .success(())
    }
    .delay(.milliseconds(2), on: network)
    .flatMap(.latest) { [self] in
      Date() < upAgain ? SignalProducer(error: .unavailable) : goals()
    }
  }

  private func goals() -> SignalProducer<Score, TickerError> {
    let scores = [(0, 0), (1, 0), (1, 1), (2, 1)].map { Score(home: $0, away: $1) }
    return SignalProducer<Score, Never>
      .interval(scores, interval: .milliseconds(40), on: network)
      .promoteError(TickerError.self)
  }
}

final class TickerService {
  private let server: ScoreServer

  init(server: ScoreServer) { self.server = server }

  func scores() -> SignalProducer<Score, Never> {
    server.connect()
      .retry()  // culprit
      .flatMapError { _ in SignalProducer<Score, Never>.empty }
      .named("scores")
  }
}

let server = ScoreServer()
let ticker = TickerService(server: server)
let showing = ticker.scores().startWithValues { print("\($0.home) : \($0.away)") }
Thread.sleep(forTimeInterval: 0.7)
showing.dispose()
print("\(server.requests) requests")
