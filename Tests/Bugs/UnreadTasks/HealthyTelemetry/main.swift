// Symptom: None; this works.
// Looks at: the position on the map ("map")

import Foundation

struct Position: Sendable {
  let second: Double
  let latitude: Double
  let longitude: Double
}

/// A receiver that gives a position each millisecond, whoever looks.
final class Satellite: Sendable {
  private let queue = DispatchQueue(label: "satellite")

  func positions(_ count: Int) -> AsyncStream<Position> {
    // A map needs the newest position alone: what it had no time for may go.
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let timer = DispatchSource.makeTimerSource(queue: queue)
      var sent = 0
      timer.schedule(deadline: .now(), repeating: .milliseconds(1))
      timer.setEventHandler {
        sent += 1
        let turn = Double(sent) / 100
        continuation.yield(
          Position(second: Double(sent) / 1_000, latitude: sin(turn), longitude: cos(turn)))
        if sent == count {
          timer.cancel()
          continuation.finish()
        }
      }
      continuation.onTermination = { _ in timer.cancel() }
      timer.activate()
    }
  }
}

@MainActor
final class Map {
  private(set) var drawn = 0
  private(set) var last = 0.0

  func follow(_ positions: AsyncStream<Position>) async throws {
    for await position in positions {
      drawn += 1
      last = position.second
      // A frame takes its time.
      try await Task.sleep(for: .milliseconds(16))
    }
  }
}

let satellite = Satellite()
let map = Map()
let following = Task(name: "map") { try await map.follow(satellite.positions(600)) }
try await following.value
print(map.last == 0.6 ? "the map shows the last position" : "the map is behind: \(map.last)")
print(map.drawn < 100 ? "it skipped what it could not draw" : "it drew everything")
