import Foundation

struct Passenger: Sendable {
  var name: String
  var seat: Int
}

struct Instruments: Sendable {
  func switchOn() async {
    try? await Task.sleep(for: .milliseconds(20))
  }

  func altitudes() -> AsyncStream<Int> {
    AsyncStream { continuation in
      let reading = Task {
        var metres = 0
        while !Task.isCancelled {
          metres += 12
          continuation.yield(metres)
          try? await Task.sleep(for: .milliseconds(50))
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in reading.cancel() }
    }
  }
}

actor PassengerRepository {
  private var cached: [Passenger]?

  func onBoard() async throws -> [Passenger] {
    if let cached { return cached }
    try await Task.sleep(for: .milliseconds(40))
    let loaded = ["Ada", "Hugo", "Lotte"].enumerated().map { seat, name in
      Passenger(name: name, seat: seat + 1)
    }
    cached = loaded
    return loaded
  }
}
