// Symptom: The map provider locks us out. We may ask four times in a window and have a limiter for
// that, yet after the first window all that is left goes out at once.
// Looks at: the requests ("geocode 9")

import Foundation

/// Lets so many through in each window of time.
actor RateLimiter {
  private let limit: Int
  private let window: Duration
  private let clock = ContinuousClock()
  private var opened: ContinuousClock.Instant
  private var used = 0

  init(limit: Int, per window: Duration) {
    self.limit = limit
    self.window = window
    opened = clock.now
  }

  func permit() async throws {
    rollOver()
    if used >= limit {  // culprit
      try await clock.sleep(until: opened.advanced(by: window))
      rollOver()
    }
    used += 1
  }

  private func rollOver() {
    guard clock.now >= opened.advanced(by: window) else { return }
    opened = clock.now
    used = 0
  }
}

/// The provider, which counts the requests of each tenth of a second.
actor MapProvider {
  private let start = ContinuousClock.now
  private(set) var windows: [Int: Int] = [:]

  func locate(_ address: String) -> (Double, Double) {
    let window = Int(start.duration(to: .now) / .milliseconds(100))
    windows[window, default: 0] += 1
    return (52.5, 13 + Double(address.count) / 100)
  }
}

struct Geocoder {
  let limiter: RateLimiter
  let provider: MapProvider

  func geocode(_ addresses: [String]) async throws -> Int {
    try await withThrowingTaskGroup { group in
      for (number, address) in addresses.enumerated() {
        group.addTask(name: "geocode \(number)") {
          try await limiter.permit()
          return await provider.locate(address)
        }
      }
      return try await group.reduce(0) { count, _ in count + 1 }
    }
  }
}

let provider = MapProvider()
let geocoder = Geocoder(
  limiter: RateLimiter(limit: 4, per: .milliseconds(100)), provider: provider)
let located = try await geocoder.geocode((1...20).map { "Mill Lane \($0)" })
print("\(located) addresses")
for (window, count) in await provider.windows.sorted(by: { $0.key < $1.key }) {
  print("window \(window): \(count) requests\(count > 4 ? ", that is too many" : "")")
}
