// Symptom: None; this works.
// Looks at: the bell ("bell")

import Foundation

enum Event: Sendable {
  case rung(door: String)
  case batteryLow(door: String)
}

/// Hands each event of the house to all who listen.
actor House {
  private var listeners: [AsyncStream<Event>.Continuation] = []

  func events() -> AsyncStream<Event> {
    let (stream, continuation) = AsyncStream<Event>.makeStream()
    listeners.append(continuation)
    return stream
  }

  func happen(_ event: Event) { listeners.forEach { $0.yield(event) } }
}

/// Plays and logs for as long as the program lives: nobody ends these tasks.
@MainActor
final class Chime {
  private(set) var played = 0
  private(set) var warnings: [String] = []

  func listen(to house: House) async {
    let rings = await house.events()
    let warnings = await house.events()
    Task(name: "bell") {
      for await event in rings {
        guard case .rung = event else { continue }
        played += 1
      }
    }
    Task(name: "battery") {
      for await event in warnings {
        if case .batteryLow(let door) = event { self.warnings.append(door) }
      }
    }
  }
}

/// Sends statistics when there is nothing better to do; nobody needs to know when.
actor Statistics {
  private(set) var sent = 0

  func send() async {
    try? await Task.sleep(for: .milliseconds(12))
    sent += 1
  }
}

let house = House()
let chime = Chime()
let statistics = Statistics()
await chime.listen(to: house)
for visit in 1...20 {
  await house.happen(.rung(door: visit % 3 == 0 ? "garden" : "front"))
  if visit == 10 { await house.happen(.batteryLow(door: "garden")) }
  Task.detached(priority: .background) { await statistics.send() }
  try await Task.sleep(for: .milliseconds(15))
}
try await Task.sleep(for: .milliseconds(60))
print("the bell rang \(chime.played) times, batteries: \(chime.warnings)")
print("statistics were sent \(await statistics.sent) times")
