import Foundation

struct Departure: Sendable {
  enum Direction: String {
    case summit
    case valley
  }

  var car: Int
  var direction: Direction
}

final class DepartureFeed: Sendable {
  let departures: AsyncStream<Departure>
  private let continuation: AsyncStream<Departure>.Continuation

  init() {
    (departures, continuation) = AsyncStream.makeStream(of: Departure.self)
  }

  func publish(_ departure: Departure) {
    continuation.yield(departure)
  }
}

actor ValleyStation {
  nonisolated let feed = DepartureFeed()
  private(set) var departed = 0

  func operate() async throws {
    while true {
      try await Task.sleep(for: .milliseconds(50))
      departed += 1
      let goesUp = departed % 2 == 1
      feed.publish(Departure(car: goesUp ? 1 : 2, direction: goesUp ? .summit : .valley))
    }
  }
}
