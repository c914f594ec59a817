// Symptom: The longer the ride, the more the line on the map is behind the bicycle, and the more
// memory the app takes: after an hour it is killed.
// Looks at: the fixes ("fix")

import Foundation

struct Fix: Sendable {
  let number: Int
  let latitude: Double
  let longitude: Double
}

@MainActor
final class RideMap {
  private(set) var line: [Fix] = []

  func draw(_ fix: Fix) { line.append(fix) }
}

/// The ride on the disk: each fix is written before it is drawn.
actor Track {
  private let map: RideMap

  init(map: RideMap) { self.map = map }

  func add(_ fix: Fix) async {
    commit(fix)
    await map.draw(fix)
  }

  private func commit(_ fix: Fix) {
    Thread.sleep(forTimeInterval: 0.012)
  }
}

struct Satellites: Sendable {
  /// Four milliseconds stand for a second.
  func fixes(_ count: Int, each: @Sendable (Fix) async -> Void) async {
    for number in 1...count {
      let way = Double(number) * 0.0001
      await each(Fix(number: number, latitude: 48.1 + way, longitude: 11.5 - way / 2))
      try? await Task.sleep(for: .milliseconds(4))
    }
  }
}

struct Ride: Sendable {
  let map: RideMap
  let track: Track

  init(map: RideMap) {
    self.map = map
    track = Track(map: map)
  }

  func start(fixes: Int) async {
    await Satellites().fixes(fixes) { fix in
      // The next fix must not wait for the disk.
      Task(name: "fix") { await track.add(fix) }  // culprit
      guard fix.number % 50 == 0 else { return }
      let drawn = await map.line.count
      print("fix \(fix.number): \(fix.number - drawn) not drawn")
    }
  }
}

let ride = Ride(map: RideMap())
await ride.start(fixes: 250)
