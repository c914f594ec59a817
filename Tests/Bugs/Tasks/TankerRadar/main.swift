// Symptom: After a few minutes the radar picture shows the ships where they were half a minute ago, and
// the app takes more and more memory.
// Looks at: the drawing of the echoes ("draw")

import Foundation

struct Echo: Sendable {
  let bearing: Int
  let metres: Double
  let seen: ContinuousClock.Instant
  let raw: [UInt8]
}

/// The antenna sends an echo every other millisecond, whoever listens.
final class Antenna: Sendable {
  let echoes: AsyncStream<Echo>
  private let continuation: AsyncStream<Echo>.Continuation

  init() {
    (echoes, continuation) = AsyncStream<Echo>.makeStream()  // culprit
  }

  func turn(for duration: Duration) async throws {
    let end = ContinuousClock.now + duration
    var bearing = 0
    while ContinuousClock.now < end {
      bearing = (bearing + 1) % 360
      let raw = [UInt8](repeating: UInt8(bearing % 200), count: 2_000)
      let metres = 900 + Double(bearing % 40) * 12
      continuation.yield(Echo(bearing: bearing, metres: metres, seen: .now, raw: raw))
      try await Task.sleep(for: .milliseconds(2))
    }
  }

  func switchOff() { continuation.finish() }
}

actor RadarPicture {
  private var lag = 0
  private(set) var drawn = 0

  func draw(_ echo: Echo) async throws {
    try await Task.sleep(for: .milliseconds(9))
    lag = Int(echo.seen.duration(to: .now) / .milliseconds(1))
    drawn += 1
  }

  var status: String { "\(drawn) echoes drawn, the last is \(lag) ms old" }
}

let antenna = Antenna()
let picture = RadarPicture()
let drawing = Task(name: "draw") {
  for await echo in antenna.echoes { try await picture.draw(echo) }
}
for minute in 1...5 {
  let turning = Task(name: "antenna") { try await antenna.turn(for: .milliseconds(250)) }
  try await turning.value
  print("minute \(minute): \(await picture.status)")
}
antenna.switchOff()
drawing.cancel()
