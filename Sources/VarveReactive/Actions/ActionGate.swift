/// Decides whether an action may be started and whether it is running, and publishes both as
/// properties.
///
/// A change takes effect at once, and its delivery waits for no thread: an observer of either
/// property may change what the action depends on, and runs may begin and end on any thread
/// meanwhile.
final class ActionGate: Sendable {
  private struct State {
    var isAllowed: Bool
    var runs = 0
    let allowsConcurrency: Bool

    var isExecuting: Bool { runs > 0 }
    var isEnabled: Bool { isAllowed && (allowsConcurrency || !isExecuting) }
  }

  /// The number of the stream that says whether the action can be started.
  let enabledStream: UInt32

  private let state: Lock<State>
  private let executing: PropertyCell<Bool>
  private let enabled: PropertyCell<Bool>
  /// Whether the action is running.
  let isExecuting: Property<Bool>
  /// Whether the action can be started.
  let isEnabled: Property<Bool>

  /// - Parameter action: the action's stream of events.
  init(of action: StreamIdentity, isAllowed: Bool, allowsConcurrency: Bool) {
    let initial = State(isAllowed: isAllowed, allowsConcurrency: allowsConcurrency)
    state = Lock(initial)
    executing = Self.cell("isExecuting", of: action, initial.isExecuting)
    enabled = Self.cell("isEnabled", of: action, initial.isEnabled)
    isExecuting = Property(of: executing)
    isEnabled = Property(of: enabled)
    enabledStream = enabled.fanOut.observers.identity.id
  }

  private static func cell(
    _ label: StaticString, of action: StreamIdentity, _ initial: Bool
  ) -> PropertyCell<Bool> {
    let identity = StreamIdentity(
      Operation(label, traits: .replays), parents: [action], valueType: Bool.self)
    return PropertyCell(identity, initial)
  }

  /// Sets whether the action's user allows it to be started.
  func setAllowed(_ isAllowed: Bool) {
    _ = change { state in
      state.isAllowed = isAllowed
      return true
    }
  }

  /// Begins a run, unless one is in progress and runs may not overlap.
  ///
  /// - Returns: whether the run has begun, in which case `end()` has to follow.
  func tryBegin() -> Bool {
    change { state in
      guard state.allowsConcurrency || !state.isExecuting else { return false }
      state.runs += 1
      return true
    }
  }

  /// Ends a run.
  func end() {
    _ = change { state in
      state.runs -= 1
      return true
    }
  }

  /// Completes both properties.
  func close() {
    executing.root.send(.completed)
    enabled.root.send(.completed)
  }

  private func change(_ body: (inout State) -> Bool) -> Bool {
    let (isDone, executingChanged, enabledChanged) = state.withLock { state in
      let before = state
      let isDone = body(&state)
      // Posted while locked, so that each property changes in the order of the decisions.
      let executingChanged = state.isExecuting != before.isExecuting
      if executingChanged { executing.post(state.isExecuting) }
      let enabledChanged = state.isEnabled != before.isEnabled
      if enabledChanged { enabled.post(state.isEnabled) }
      return (isDone, executingChanged, enabledChanged)
    }
    if executingChanged { executing.deliverPosted() }
    if enabledChanged { enabled.deliverPosted() }
    return isDone
  }
}
