internal import Synchronization
internal import VarveProbe

extension Scheduler {
  /// Runs `turn`, and once more each time it asks for it.
  ///
  ///     scheduler.scheduleRecursively { again in
  ///       if let line = reader.nextLine() {
  ///         observer.send(value: line)
  ///         again()
  ///       }
  ///     }
  ///
  /// Each turn is scheduled of its own, so that other work has its turn between. Turns do not
  /// overlap, and the stack does not grow, whatever the scheduler: a turn that is asked for while
  /// another runs begins when that one has returned. A turn may also be asked for later, and from
  /// another thread; asking twice gives two turns.
  ///
  /// - Returns: what prevents the next turn from beginning.
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

/// Turns of an action, one after the other.
///
/// There is at most one turn that is scheduled or runs. When it has returned *and* the call that
/// scheduled it has, the later of the two schedules the next turn: on a scheduler that runs inside
/// the call that is the loop in `pump`, and on a queue it is the turn itself.
private final class RecursiveWork: Disposable {
  typealias Turn = @Sendable (_ again: @escaping @Sendable () -> Void) -> Void

  private struct State {
    var turn: Turn?
    /// Turns that were asked for and have not ended.
    var wanted = 0
    var scheduled: (any Disposable)?
    var isDisposed = false
  }

  private let scheduler: SchedulerReference<any Scheduler>
  private let state: Lock<State>
  /// Which of the two, the turn and the call that scheduled it, have returned.
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

  /// Whether the other one has returned already.
  private func arriveLast() -> Bool {
    arrivals.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 1
  }

  /// Whether another turn is to follow.
  private func finishTurn() -> Bool {
    state.withLock { state in
      state.wanted -= 1
      return state.wanted > 0 && !state.isDisposed
    }
  }

  /// False when it is too late.
  private func remember(_ scheduled: (any Disposable)?) -> Bool {
    // The last turn's leaves the lock first: it may be a scheduler's of the user.
    let (isKept, old) = state.withLock { state -> (Bool, (any Disposable)?) in
      guard !state.isDisposed else { return (false, nil) }
      defer { state.scheduled = scheduled }
      return (true, state.scheduled)
    }
    withExtendedLifetime(old) {}
    return isKept
  }
}
