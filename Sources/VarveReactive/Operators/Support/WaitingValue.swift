/// A value that waits for its delivery time. A newer value replaces it, and the work that would
/// have delivered the older one is disposed of.
final class WaitingValue<Value>: Sendable {
  private struct State {
    var held: Held<Value>?
    var work: (any Disposable)?
    /// The number of values so far.
    var turn = 0
    /// The time at which a value was last taken.
    var lastTaken: SchedulerInstant?
    var isLast = false
    var isClosed = false
  }

  /// The result of storing a value.
  struct Place {
    /// The turn that identifies the value to the work that delivers it.
    let turn: Int
    /// The value that was waiting before.
    let superseded: Held<Value>?
    /// The time at which a value was last taken.
    let lastTaken: SchedulerInstant?
  }

  private let state = Lock(State())

  /// Replaces the waiting value by another, or by none. Returns nil after the end.
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

  /// Stores the work that will take a turn's value, or disposes of it if that value is gone.
  func keep(_ work: (any Disposable)?, for turn: Int) {
    let isKept = state.withLock { state in
      guard state.turn == turn, state.held != nil else { return false }
      state.work = work
      return true
    }
    if !isKept { work?.dispose() }
  }

  /// Takes the value if it is still that of `turn`, and returns it with whether it is the last one.
  ///
  /// - Parameter date: the current time, stored as the time at which a value was last taken.
  func take(_ turn: Int, at date: SchedulerInstant? = nil) -> (held: Held<Value>, isLast: Bool)? {
    let (held, isLast, work) = state.withLock {
      state -> (Held<Value>?, Bool, (any Disposable)?) in
      guard state.turn == turn, let held = state.held else { return (nil, false, nil) }
      defer { state.work = nil }
      state.held = nil
      state.lastTaken = date
      return (held, state.isLast, state.work)
    }
    // Released outside the lock: it may belong to a client's scheduler.
    withExtendedLifetime(work) {}
    return held.map { ($0, isLast) }
  }

  /// Notes that no value follows the waiting one. Returns false if none is waiting.
  func closeBehind() -> Bool {
    state.withLock { state in
      state.isLast = state.held != nil
      return state.isLast
    }
  }

  /// Accepts no further values, and returns the waiting one.
  func close() -> Held<Value>? {
    let (held, work) = state.withLock { state -> (Held<Value>?, (any Disposable)?) in
      defer { state = State(turn: state.turn + 1, isClosed: true) }
      return (state.held, state.work)
    }
    work?.dispose()
    return held
  }
}
