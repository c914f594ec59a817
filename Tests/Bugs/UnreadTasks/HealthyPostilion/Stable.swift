import Foundation

struct Coach: Sendable {
  var number: Int
}

final class CoachGate: Sendable {
  let coaches: AsyncStream<Coach>
  private let continuation: AsyncStream<Coach>.Continuation

  init() {
    (coaches, continuation) = AsyncStream.makeStream()
  }

  func arrive(_ coach: Coach) {
    continuation.yield(coach)
  }

  func close() {
    continuation.finish()
  }
}

actor Stable {
  func freshHarness(for coach: Coach) async -> Harness {
    try? await Task.sleep(for: .milliseconds(4))
    return Harness(horses: coach.number % 2 == 0 ? 4 : 2)
  }
}

final class Harness: Sendable {
  private static let lock = NSLock()
  nonisolated(unsafe) private static var alive = 0
  static var inUse: Int { lock.withLock { alive } }

  let horses: Int

  init(horses: Int) {
    self.horses = horses
    Self.lock.withLock { Self.alive += 1 }
  }

  deinit {
    Self.lock.withLock { Self.alive -= 1 }
  }

  func put(on coach: Coach) async {
    try? await Task.sleep(for: .milliseconds(horses))
  }
}
