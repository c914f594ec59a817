import Foundation

struct TimedOut: Error {}

enum Harness {
  @TaskLocal static var test = "none"

  /// The first event of a kind, or an error after a while.
  static func first(
    _ events: AsyncStream<Event>, within limit: Duration = .milliseconds(150),
    where matches: @escaping @Sendable (Event) -> Bool
  ) async throws -> Event {
    try await withThrowingTaskGroup(of: Event.self) { group in
      group.addTask(name: "wait") {
        guard let event = await events.first(where: matches) else { throw TimedOut() }
        return event
      }
      group.addTask(name: "limit") {
        try await Task.sleep(for: limit)
        throw TimedOut()
      }
      defer { group.cancelAll() }
      guard let event = try await group.next() else { throw TimedOut() }
      return event
    }
  }

  /// Looks until something has become true.
  static func eventually(
    within limit: Duration = .milliseconds(200), _ holds: @Sendable () async -> Bool
  ) async throws {
    let end = ContinuousClock.now.advanced(by: limit)
    while await !holds() {
      guard ContinuousClock.now < end else { throw TimedOut() }
      try await Task.sleep(for: .milliseconds(5))
    }
  }
}
