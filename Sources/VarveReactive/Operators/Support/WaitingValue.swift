/// One value that waits for a date. A newer one takes its place, and the work that would have
/// delivered the older one is disposed of.
final class WaitingValue<Value>: Sendable {
  private struct State {
    var held: Held<Value>?
    var work: (any Disposable)?
    /// Counts the values that came.
    var turn = 0
    /// When a value was last taken.
    var lastTaken: SchedulerInstant?
    var isLast = false
    var isClosed = false
  }

  /// What became of a value that came.
  struct Place {
    /// What the work that delivers it has to show.
    let turn: Int
    /// The value that waited before.
    let superseded: Held<Value>?
    /// When a value was last taken.
    let lastTaken: SchedulerInstant?
  }

  private let state = Lock(State())

  /// Puts a value, or none, in the place of the one that waits; nil after the end.
  func replace(with held: Held<Value>?) -> Place? {
    let (place, work) = state.withLock { state -> (Place?, (any Disposable)?) in
      guard !state.isClosed else { return (nil, nil) }
      state.turn += 1
      defer {
        state.held = held
        state.work = nil
      }
      return (
        Place(turn: state.turn, superseded: state.held, lastTaken: state.lastTaken), state.work
      )
    }
    work?.dispose()
    return place
  }

  /// Keeps the work that will take a turn's value, or disposes of it when it is too late.
  func keep(_ work: (any Disposable)?, for turn: Int) {
    let isKept = state.withLock { state in
      guard state.turn == turn, state.held != nil else { return false }
      state.work = work
      return true
    }
    if !isKept { work?.dispose() }
  }

  /// Takes the value if it is still this turn's, and says whether it is the last one.
  ///
  /// - Parameter date: the time, for whoever asks when a value was last taken.
  func take(_ turn: Int, at date: SchedulerInstant? = nil) -> (held: Held<Value>, isLast: Bool)? {
    let (held, isLast, work) = state.withLock {
      state -> (Held<Value>?, Bool, (any Disposable)?) in
      guard state.turn == turn, let held = state.held else { return (nil, false, nil) }
      defer { state.work = nil }
      state.held = nil
      state.lastTaken = date
      return (held, state.isLast, state.work)
    }
    // It may be a scheduler's of the user, which must not go under the lock.
    withExtendedLifetime(work) {}
    return held.map { ($0, isLast) }
  }

  /// Notes that no value follows the one that waits; false when none waits.
  func closeBehind() -> Bool {
    state.withLock { state in
      state.isLast = state.held != nil
      return state.isLast
    }
  }

  /// Lets no value in any more, and hands over the one that waits.
  func close() -> Held<Value>? {
    let (held, work) = state.withLock { state -> (Held<Value>?, (any Disposable)?) in
      defer { state = State(turn: state.turn + 1, isClosed: true) }
      return (state.held, state.work)
    }
    work?.dispose()
    return held
  }
}
