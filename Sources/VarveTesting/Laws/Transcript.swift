internal import VarveProbe
internal import VarveReactive

/// The events that an observer received, as text: `VALUE 1`, `COMPLETED`.
final class Transcript: Sendable {
  private struct State {
    var events: [String] = []
    /// The events that came while no call was expected to deliver, or on a thread other than the
    /// caller's.
    var strays: [String] = []
    var expectedThread: UInt?
    var reaction: (@Sendable () -> Void)?
  }

  private let state = Lock(State())

  /// All events so far.
  var events: [String] { state.withLock { $0.events } }

  /// The events that came unexpectedly.
  var strays: [String] { state.withLock { $0.strays } }

  /// Whether the last event ended the stream.
  var hasEnded: Bool { events.last.map(Self.isTerminal) ?? false }

  /// Whether the events are values and then at most one end.
  var isGrammatical: Bool { !events.dropLast().contains(where: Self.isTerminal) }

  /// Calls `reaction` inside the delivery of the next value.
  func onNextValue(_ reaction: @escaping @Sendable () -> Void) {
    state.withLock { $0.reaction = reaction }
  }

  /// Calls `body`, during which events may come on this thread.
  func expecting(_ body: () -> Void) {
    state.withLock { $0.expectedThread = CurrentThread.number }
    body()
    state.withLock { $0.expectedThread = nil }
  }

  func note<Value, Failure>(_ event: Event<Value, Failure>) {
    // A description is client code, so it does not run under the lock.
    let (text, thread) = (event.description, CurrentThread.number)
    let reaction = state.withLock { state -> (@Sendable () -> Void)? in
      state.events.append(text)
      if state.expectedThread != thread { state.strays.append(text) }
      guard !event.isTerminating else { return nil }
      defer { state.reaction = nil }
      return state.reaction
    }
    reaction?()
  }

  private static func isTerminal(_ event: String) -> Bool { !event.hasPrefix("VALUE") }
}
