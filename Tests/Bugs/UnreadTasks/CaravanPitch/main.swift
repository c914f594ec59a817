// Symptom: The longer I leaf through the pitches of the camping site, the more memory the app
// takes, though only one page is open at a time. In the evening the system ends it.
// Looks at: what follows the meter of a pitch ("pitch")

import Foundation

/// The meters for electricity at the pitches.
actor Meters {
  private var listeners: [Int: AsyncStream<Int>.Continuation] = [:]
  private var nextListener = 0
  private var wattHours = 100

  func readings() -> AsyncStream<Int> {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let id = nextListener
    nextListener += 1
    listeners[id] = continuation
    continuation.onTermination = { [weak self] _ in
      Task { await self?.remove(id) }
    }
    return stream
  }

  func tick() {
    wattHours += 7
    for listener in listeners.values { listener.yield(wattHours) }
  }

  var count: Int { listeners.count }

  private func remove(_ id: Int) { listeners[id] = nil }
}

@MainActor
final class PitchPage {
  static var alive = 0

  private let number: Int
  private let photos = [UInt8](repeating: 7, count: 200_000)
  private var following: Task<Void, Never>?
  private(set) var text = ""

  init(number: Int, meters: Meters) {
    self.number = number
    Self.alive += 1
    following = Task(name: "pitch") { [weak self] in
      guard let self else { return }  // culprit
      for await wattHours in await meters.readings() {
        show(wattHours)
      }
    }
  }

  deinit {
    following?.cancel()
    MainActor.assumeIsolated { Self.alive -= 1 }
  }

  private func show(_ wattHours: Int) {
    text = "pitch \(number): \(wattHours) Wh"
  }
}

let meters = Meters()
var page: PitchPage?
for number in 1...12 {
  page = PitchPage(number: number, meters: meters)
  for _ in 1...2 {
    try await Task.sleep(for: .milliseconds(20))
    await meters.tick()
  }
  try await Task.sleep(for: .milliseconds(10))
  if number.isMultiple(of: 3) {
    print("\(page?.text ?? ""); pages in memory: \(PitchPage.alive)")
  }
}
page = nil
try await Task.sleep(for: .milliseconds(30))
print("All closed; in memory: \(PitchPage.alive), listeners: \(await meters.count)")
