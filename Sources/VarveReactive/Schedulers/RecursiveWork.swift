internal import Synchronization
internal import VarveProbe

extension Scheduler {
  /// Runs `turn`, and runs it again each time it asks for that.
  ///
  ///     scheduler.scheduleRecursively { again in
  ///       if let line = reader.nextLine() {
  ///         observer.send(value: line)
  ///         again()
  ///       }
  ///     }
  ///
  /// Each turn is scheduled separately, so that other work can run in between. Turns do not
  /// overlap, and the stack does not grow, whatever the scheduler: a turn that is requested during
  /// another begins after the latter has returned. A turn may also be requested later or from
  /// another thread; two requests lead to two turns.
  ///
  /// - Returns: a disposable that prevents the next turn from beginning.
  @preconcurrency
  @discardableResult
  public func scheduleRecursively(
    _ turn: @escaping @Sendable (_ again: @escaping @Sendable () -> Void) -> Void
  ) -> (any Disposable)? {
    let work = RecursiveWork(turn, on: self)
    work.ask()
    return work
  }
}

/// A sequence of turns of an action.
///
/// At most one turn is scheduled or running. The next turn is scheduled when both the turn and the
/// call that scheduled it have returned, by the later of the two: the loop in `pump` for a
/// scheduler that runs actions inside the call, and the turn itself for a queue.
private final class RecursiveWork: Disposable {
  typealias Turn = @Sendable (_ again: @escaping @Sendable () -> Void) -> Void

  private struct State {
    var turn: Turn?
    /// The number of requested turns that have not ended.
    var wanted = 0
    var scheduled: (any Disposable)?
    var isDisposed = false
  }

  private let scheduler: SchedulerReference<any Scheduler>
  private let state: Lock<State>
  /// The number of returns, out of those of the turn and of the call that scheduled it.
  private let arrivals = Atomic<Int>(0)

  init(_ turn: @escaping Turn, on scheduler: any Scheduler) {
    self.scheduler = SchedulerReference(scheduler)
    state = Lock(State(turn: turn))
  }

  var isDisposed: Bool { state.withLock { $0.isDisposed } }

  func dispose() {
    let (turn, scheduled) = state.withLock { state in
      defer {
        state.isDisposed = true
        state.turn = nil
        state.scheduled = nil
      }
      return (state.turn, state.scheduled)
    }
    scheduled?.dispose()
    withExtendedLifetime(turn) {}
  }

  func ask() {
    let isFirst = state.withLock { state in
      guard !state.isDisposed else { return false }
      state.wanted += 1
      return state.wanted == 1
    }
    if isFirst { pump() }
  }

  private func pump() {
    repeat {
      arrivals.store(0, ordering: .relaxed)
      let scheduled = scheduler.existing?.hop { self.takeTurn() }
      if !remember(scheduled) { scheduled?.dispose() }
    } while arriveLast() && finishTurn()
  }

  private func takeTurn() {
    if let turn = state.withLock({ $0.turn }) { turn { self.ask() } }
    if arriveLast() && finishTurn() { pump() }
  }

  /// Notes a return. Returns whether the other one came first.
  private func arriveLast() -> Bool {
    arrivals.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 1
  }

  /// Notes the end of a turn. Returns whether another has to follow.
  private func finishTurn() -> Bool {
    state.withLock { state in
      state.wanted -= 1
      return state.wanted > 0 && !state.isDisposed
    }
  }

  /// Stores the scheduled work. Returns false if it was disposed of before.
  private func remember(_ scheduled: (any Disposable)?) -> Bool {
    // The previous work is released outside the lock: it may belong to a client's scheduler.
    let (isKept, old) = state.withLock { state -> (Bool, (any Disposable)?) in
      guard !state.isDisposed else { return (false, nil) }
      defer { state.scheduled = scheduled }
      return (true, state.scheduled)
    }
    withExtendedLifetime(old) {}
    return isKept
  }
}
