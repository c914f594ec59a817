import Foundation

/// Measures all the time, whether somebody looks or not.
final class DepthSonde: Sendable {
  private let start = ContinuousClock.now

  func depths() -> AsyncStream<Int> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let measuring = Task {
        while !Task.isCancelled {
          continuation.yield(Int((ContinuousClock.now - self.start) / .milliseconds(1)))
          try? await Task.sleep(for: .milliseconds(10))
        }
      }
      continuation.onTermination = { _ in measuring.cancel() }
    }
  }
}

actor CrewRepository {
  private var cached: [String]?

  func members() async throws -> [String] {
    if let cached { return cached }
    try await Task.sleep(for: .milliseconds(60))
    let loaded = ["Jacques", "Auguste"]
    cached = loaded
    return loaded
  }
}
