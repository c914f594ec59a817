import Foundation

struct TooLate: Error {}

actor Instrument {
  enum State: Sendable {
    case folded
    case unfolding
    case ready
  }

  private var state = State.folded
  private var observers: [UUID: AsyncStream<State>.Continuation] = [:]

  /// The present state, and each later one.
  func states() -> AsyncStream<State> {
    let id = UUID()
    let (stream, continuation) = AsyncStream.makeStream(of: State.self)
    continuation.onTermination = { _ in Task { await self.forget(id) } }
    continuation.yield(state)
    observers[id] = continuation
    return stream
  }

  func unfold() async {
    guard state == .folded else { return }
    enter(.unfolding)
    try? await Task.sleep(for: .milliseconds(40))
    enter(.ready)
  }

  func measure(
    _ star: String, progress: @MainActor @Sendable (Double) -> Void
  ) async throws -> Int {
    for step in 1...4 {
      try await Task.sleep(for: .milliseconds(star == "Algol" ? 200 : 15))
      await progress(Double(step) / 4)
    }
    return 30 + star.count * 3
  }

  private func enter(_ next: State) {
    state = next
    for observer in observers.values { observer.yield(next) }
  }

  private func forget(_ id: UUID) {
    observers[id] = nil
  }
}
