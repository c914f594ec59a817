internal import VarveProbe

// The conditions that an action can depend on. The parameters are the same everywhere:
//
// - `name`: the action's name in traces; without one, it is named after its place in the code.
// - `allowsConcurrentExecution`: whether the action can be started while a run is in progress.
// - `execute`: makes the work of a run; called at each start that is not refused.

extension Action {
  /// Creates an action that can be started while `isEnabled` returns true for the value of a
  /// property; that very value is passed to `execute`.
  @preconcurrency
  public convenience init<State: PropertyProtocol>(
    state: State, enabledIf isEnabled: @escaping @Sendable (State.Value) -> Bool,
    named name: String? = nil, allowsConcurrentExecution: Bool = false, file: String = #fileID,
    line: UInt = #line,
    execute: @escaping @Sendable (State.Value, Input) -> SignalProducer<Output, Failure>
  ) {
    self.init(
      of: state, if: isEnabled, name: name, allowsConcurrency: allowsConcurrentExecution,
      place: Place(file: file, line: line), execute)
  }

  /// Creates an action whose work receives the value of a property.
  @preconcurrency
  public convenience init<State: PropertyProtocol>(
    state: State, named name: String? = nil, allowsConcurrentExecution: Bool = false,
    file: String = #fileID, line: UInt = #line,
    execute: @escaping @Sendable (State.Value, Input) -> SignalProducer<Output, Failure>
  ) {
    self.init(
      of: state, if: { _ in true }, name: name, allowsConcurrency: allowsConcurrentExecution,
      place: Place(file: file, line: line), execute)
  }

  /// Creates an action that can be started while a property is true.
  @preconcurrency
  public convenience init<Condition: PropertyProtocol<Bool>>(
    enabledIf isEnabled: Condition, named name: String? = nil,
    allowsConcurrentExecution: Bool = false, file: String = #fileID, line: UInt = #line,
    execute: @escaping @Sendable (Input) -> SignalProducer<Output, Failure>
  ) {
    self.init(
      of: isEnabled, if: { $0 }, name: name, allowsConcurrency: allowsConcurrentExecution,
      place: Place(file: file, line: line)
    ) { _, input in execute(input) }
  }

  /// Creates an action.
  @preconcurrency
  public convenience init(
    named name: String? = nil, allowsConcurrentExecution: Bool = false, file: String = #fileID,
    line: UInt = #line,
    execute: @escaping @Sendable (Input) -> SignalProducer<Output, Failure>
  ) {
    self.init(
      of: Property(value: true), if: { $0 }, name: name,
      allowsConcurrency: allowsConcurrentExecution, place: Place(file: file, line: line)
    ) { _, input in execute(input) }
  }

  /// Creates an action that can be started while a property holds a value that is not nil, which is
  /// passed to `execute`.
  @preconcurrency
  public convenience init<State: PropertyProtocol, Wrapped>(
    unwrapping state: State, named name: String? = nil, allowsConcurrentExecution: Bool = false,
    file: String = #fileID, line: UInt = #line,
    execute: @escaping @Sendable (Wrapped, Input) -> SignalProducer<Output, Failure>
  ) where State.Value == Wrapped? {
    self.init(
      of: state, if: { $0 != nil }, name: name, allowsConcurrency: allowsConcurrentExecution,
      place: Place(file: file, line: line)
    ) { value, input in value.map { execute($0, input) } ?? .empty }
  }

  /// Creates an action that can be started while the latest proposal to a validating property is
  /// accepted; the accepted value is passed to `execute`.
  @preconcurrency
  public convenience init<State, ValidationError>(
    validated state: ValidatingProperty<State, ValidationError>, named name: String? = nil,
    allowsConcurrentExecution: Bool = false, file: String = #fileID, line: UInt = #line,
    execute: @escaping @Sendable (State, Input) -> SignalProducer<Output, Failure>
  ) {
    self.init(
      of: state.result, if: { !$0.isInvalid }, name: name,
      allowsConcurrency: allowsConcurrentExecution, place: Place(file: file, line: line)
    ) { result, input in result.value.map { execute($0, input) } ?? .empty }
  }
}

extension Action where Input == Void {
  /// Creates an action without input whose work receives the value of a property.
  @preconcurrency
  public convenience init<State: PropertyProtocol, Value>(
    state: State, named name: String? = nil, allowsConcurrentExecution: Bool = false,
    file: String = #fileID, line: UInt = #line,
    execute: @escaping @Sendable (Value) -> SignalProducer<Output, Failure>
  ) where State.Value == Value {
    self.init(
      of: state, if: { _ in true }, name: name, allowsConcurrency: allowsConcurrentExecution,
      place: Place(file: file, line: line)
    ) { value, _ in execute(value) }
  }

  /// Creates an action without input that can be started while a property holds a value that is not
  /// nil, which is passed to `execute`.
  @preconcurrency
  public convenience init<State: PropertyProtocol, Wrapped>(
    unwrapping state: State, named name: String? = nil, allowsConcurrentExecution: Bool = false,
    file: String = #fileID, line: UInt = #line,
    execute: @escaping @Sendable (Wrapped) -> SignalProducer<Output, Failure>
  ) where State.Value == Wrapped? {
    self.init(
      of: state, if: { $0 != nil }, name: name, allowsConcurrency: allowsConcurrentExecution,
      place: Place(file: file, line: line)
    ) { value, _ in value.map { execute($0) } ?? .empty }
  }

  /// Creates an action without input that can be started while the latest proposal to a validating
  /// property is accepted; the accepted value is passed to `execute`.
  @preconcurrency
  public convenience init<State, ValidationError>(
    validated state: ValidatingProperty<State, ValidationError>, named name: String? = nil,
    allowsConcurrentExecution: Bool = false, file: String = #fileID, line: UInt = #line,
    execute: @escaping @Sendable (State) -> SignalProducer<Output, Failure>
  ) {
    self.init(
      of: state.result, if: { !$0.isInvalid }, name: name,
      allowsConcurrency: allowsConcurrentExecution, place: Place(file: file, line: line)
    ) { result, _ in result.value.map { execute($0) } ?? .empty }
  }
}
