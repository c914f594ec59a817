// Symptom: The remote of a lamp shows whether the lamp is online, but its slider does not move when
// somebody dims the lamp at the wall.
// Looks at: the screen of the lamp ("lamp screen")

import Foundation

/// The box that speaks with the lamps.
final class Bridge: Sendable {
  let connection: AsyncStream<Bool>
  let levels: AsyncStream<Int>
  private let connected: AsyncStream<Bool>.Continuation
  private let dimmed: AsyncStream<Int>.Continuation

  init() {
    (connection, connected) = AsyncStream.makeStream()
    (levels, dimmed) = AsyncStream.makeStream()
  }

  func connect() { connected.yield(true) }
  func dim(to level: Int) { dimmed.yield(level) }
}

@MainActor
class Screen {
  let bridge: Bridge
  private(set) var isOnline = false
  private var following: Task<Void, Never>?

  init(bridge: Bridge) { self.bridge = bridge }

  var name: String { "screen" }

  func appear() {
    following = Task(name: name) { await follow() }
  }

  func disappear() {
    following?.cancel()
    following = nil
  }

  /// Follows what the screen shows, as long as it is visible.
  func follow() async {
    for await isOnline in bridge.connection { self.isOnline = isOnline }
  }
}

final class LampScreen: Screen {
  private(set) var slider = 0

  override var name: String { "lamp screen" }

  override func follow() async {
    await super.follow()  // culprit
    for await level in bridge.levels { slider = level }
  }
}

let bridge = Bridge()
let screen = LampScreen(bridge: bridge)
screen.appear()
bridge.connect()
for level in [20, 45, 70] {
  bridge.dim(to: level)
  try await Task.sleep(for: .milliseconds(100))
  print("lamp at \(level): online \(screen.isOnline), slider at \(screen.slider)")
}
screen.disappear()
