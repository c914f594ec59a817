// Symptom: The satellite bill of our trawler lists hundreds of calls within one short hole in the
// reception, though the modem should wait longer and longer between its calls.
// Looks at: the sending of the catch ("send catch")

import Foundation

struct NoCarrier: Error {}

/// The satellite, which is behind the mountain at first.
actor Satellite {
  private let risesAt: ContinuousClock.Instant
  private(set) var calls = 0
  private(set) var received: [String] = []

  init(hiddenFor time: Duration) { risesAt = .now + time }

  func call(with message: String) async throws {
    calls += 1
    try await Task.sleep(for: .milliseconds(1))
    guard ContinuousClock.now >= risesAt else { throw NoCarrier() }
    received.append(message)
  }
}

/// How long to wait before the next call, in seconds.
struct Backoff: Sendable {
  private(set) var seconds: Double
  let longest: Double

  mutating func next() -> Double {
    defer { seconds = min(seconds * 2, longest) }
    return seconds
  }
}

extension Task where Success == Never, Failure == Never {
  static func pause(seconds: Double) async throws {
    try await Task.sleep(nanoseconds: UInt64(seconds * 1_000_000))  // culprit
  }
}

struct Modem: Sendable {
  let satellite: Satellite

  func send(_ message: String, backoff start: Backoff) async throws {
    var backoff = start
    while true {
      do {
        try await satellite.call(with: message)
        return
      } catch is NoCarrier {
        try await Task.pause(seconds: backoff.next())
      }
    }
  }
}

let satellite = Satellite(hiddenFor: .milliseconds(350))
let modem = Modem(satellite: satellite)
let sending = Task(name: "send catch") {
  try await modem.send("cod 1200 kg", backoff: Backoff(seconds: 0.05, longest: 0.2))
}
try await sending.value
print("sent: \(await satellite.received.joined(separator: ", "))")
print("calls on the bill: \(await satellite.calls)")
