internal import VarveProbe

/// A unit of work that can be started with an input, and tells what becomes of its runs.
///
///     let save = Action<Document, Revision, DiskError>(enabledIf: isOnline) { document in
///       disk.write(document)
///     }
///     save.isExecuting.producer.startWithValues { spinner.isVisible = $0 }
///     save.errors.observeValues { print("not saved:", $0) }
///     save.apply(document).start()
///
/// Work is done once for each start of what `apply` returns. Unless an action is made to allow
/// concurrent runs, it can be started only while no run goes on; a start that comes meanwhile fails
/// with `ActionError.disabled`.
///
/// - *Memory*: the action keeps the property that it depends on, and is kept by its runs, not by its
///   bindings or signals.
/// - *Scheduling*: work begins on the thread that starts; everything is told on the thread that it
///   happens on.
public final class Action<Input, Output, Failure: Error> {
  /// Every event of every run, as values; completes when the action goes away.
  public let events: Signal<Event<Output, Failure>, Never>
  /// A signal for each run, sent before its work begins: who observes it at once misses nothing.
  ///
  ///     uploads.executions.flatten(.concat)  // one run's values after the other's
  ///
  /// A run's signal ends as the run does: it fails with what its work fails with, and is interrupted
  /// when the run is disposed of. Completes when the action goes away.
  public let executions: Signal<Signal<Output, Failure>, Never>
  /// The values of all runs.
  public let values: Signal<Output, Never>
  /// The failures of all runs.
  public let errors: Signal<Failure, Never>
  /// Sends when a run has completed.
  public let completed: Signal<Void, Never>
  /// Sends when a start was refused.
  public let disabledErrors: Signal<Void, Never>
  /// Whether a run goes on.
  public let isExecuting: Property<Bool>
  /// Whether a start would be a run now.
  public let isEnabled: Property<Bool>
  /// Ends when the action goes away.
  public let lifetime: Lifetime

  private let token: Lifetime.Token
  private let gate: ActionGate
  private let eventsInput: Signal<Event<Output, Failure>, Never>.Observer
  private let refusals: Signal<Void, Never>.Observer
  private let executionsRoot: Root<Signal<Output, Failure>, Never>
  private let scope: TemplateScope
  /// The work for an input, unless the property that the action depends on forbids it.
  private let work: (Input) -> SignalProducer<Output, Failure>?

  /// Creates an action that depends on a property and takes no part in any closure's safety.
  init<State: PropertyProtocol>(
    of state: State, if isEnabled: @escaping (State.Value) -> Bool, name: String?,
    allowsConcurrency: Bool, place: SourcePlace,
    _ execute: @escaping (State.Value, Input) -> SignalProducer<Output, Failure>
  ) {
    let identity = StreamIdentity(
      .source("action"), name: name, place: place,
      valueType: Event<Output, Failure>.self)
    (events, eventsInput) = Self.makePipe(identity)
    (disabledErrors, refusals) = Self.makePipe(
      StreamIdentity(
        Operation("disabledErrors"), parents: [identity], valueType: Void.self))
    let (executions, executionsRoot) = Signal<Signal<Output, Failure>, Never>.makeRoot(
      StreamIdentity(
        Operation("executions"), parents: [identity],
        valueType: Signal<Output, Failure>.self))
    self.executions = Signal(executions)
    self.executionsRoot = executionsRoot
    values = events.applying(.extracting("values") { $0.value })
    errors = events.applying(.extracting("errors") { $0.error })
    completed = events.applying(
      .extracting("completed") { $0.isCompleted ? () : nil })
    let gate = ActionGate(
      of: identity, isAllowed: isEnabled(state.value), allowsConcurrency: allowsConcurrency)
    self.gate = gate
    isExecuting = gate.isExecuting
    self.isEnabled = gate.isEnabled
    (lifetime, token) = Lifetime.make()
    scope = TemplateScope(of: .identity(identity))
    // The very value that was found good is the one that the work gets.
    work = { input in
      let value = state.value
      return isEnabled(value) && gate.tryBegin() ? execute(value, input) : nil
    }
    lifetime += state.producer.begin(into: ValueSink { gate.setAllowed(isEnabled($0)) })
  }

  /// A pipe whose observers may lead to further values: those follow.
  private static func makePipe<Value, PipeFailure>(
    _ identity: StreamIdentity
  ) -> (Signal<Value, PipeFailure>, Signal<Value, PipeFailure>.Observer) {
    let (fanOut, root) = Signal<Value, PipeFailure>.makeRoot(identity)
    return (Signal(fanOut), Signal<Value, PipeFailure>.Input.make(root, recursion: .queued))
  }

  deinit {
    eventsInput.sendCompleted()
    executionsRoot.send(.completed)
    refusals.sendCompleted()
    gate.close()
    token.dispose()
  }

  /// A producer each start of which is a run with `input`.
  ///
  /// - Returns: a producer that sends what the work sends; it fails with `disabled` when the action
  ///   cannot be started, and with `producerFailed` when the work fails. Disposing of a start stops
  ///   the work.
  public func apply(_ input: Input) -> SignalProducer<Output, ActionError<Failure>> {
    scope.run { SignalProducer(ApplyRecipe(self, input)) }
  }

  /// A run with `input`, if there can be one now.
  fileprivate func run(
    _ input: Input, into root: Root<Output, ActionError<Failure>>,
    _ execution: CompositeDisposable
  ) {
    guard let work = work(input) else {
      root.send(.failed(.disabled))
      return refusals.send(value: ())
    }
    let run = Run()
    execution.add(run)
    execution.add(AnyDisposable { [gate] in gate.end() })
    guard !run.isDisposed else { return }
    let sink = ExecutionSink(root, announceExecution(), of: self)
    work.recipe.start(into: RunEnd(sink, run: run), run: run)
  }

  /// Sends a signal for the run that begins, and returns its input; nil when nobody is there to get
  /// it.
  private func announceExecution() -> Signal<Output, Failure>.Observer? {
    var input: Signal<Output, Failure>.Observer?
    executionsRoot.send(
      ifWanted: {
        let identity = StreamIdentity(
          Operation("execution"), parents: [executions.identity],
          valueType: Output.self)
        let execution: Signal<Output, Failure>
        (execution, input) = Self.makePipe(identity)
        return execution
      })
    return input
  }

  fileprivate func tell(_ event: Event<Output, Failure>) { eventsInput.send(value: event) }

  /// The stream that the action is.
  fileprivate var identity: StreamIdentity { events.identity }
}

// Safety: the signals and the gate are made for many threads; the closures that users give are
// Sendable.
extension Action: @unchecked Sendable where Input: Sendable, Output: Sendable {}

extension Action where Input == Void {
  /// A producer each start of which is a run. See `apply(_:)`.
  public func apply() -> SignalProducer<Output, ActionError<Failure>> { apply(()) }
}

extension Action: BindingTargetProvider {
  /// Starts the action with each bound value; values that come while it cannot be started count as
  /// refused.
  public var bindingTarget: BindingTarget<Input> {
    BindingTarget(lifetime: lifetime, unchecked: { [weak self] in self?.apply($0).start() })
  }
}

extension Action: CustomStringConvertible {
  /// The action's name.
  public var description: String { identity.name }
}

extension UnaryOperator where InputFailure == OutputFailure {
  /// Picks something out of an action's events.
  fileprivate static func extracting(
    _ label: StaticString, _ extract: @escaping (Input) -> Output?
  ) -> Self {
    compactMap(extract).called(Operation(label, absorbs: .filtered))
  }
}

/// Runs an action once at each start.
private final class ApplyRecipe<Input, Output, Failure: Error>:
  Recipe<Output, ActionError<Failure>>, @unchecked Sendable
{
  // Safety: immutable; the action is made for many threads.
  private let action: Action<Input, Output, Failure>
  private let input: Input

  init(_ action: Action<Input, Output, Failure>, _ input: Input) {
    self.action = action
    self.input = input
    super.init(
      Operation("apply(_:)"), parents: [.identity(action.identity)],
      valueType: Output.self)
  }

  override func start(into sink: Observer<Output, ActionError<Failure>>, run: Run) {
    let root = Root<Output, ActionError<Failure>>(.recipe(self), run: Subscription.newNumber())
    let execution = CompositeDisposable()
    root.prepare(into: sink, resources: execution)
    run.adopt(root)
    guard !root.isOver else { return }
    action.run(input, into: root, execution)
  }
}

/// Takes the events of a run: to whoever started it, to the run's own signal, then to the action's.
private final class ExecutionSink<Input, Output, Failure: Error>: Observer<Output, Failure> {
  private let root: Root<Output, ActionError<Failure>>
  private let execution: Signal<Output, Failure>.Observer?
  private let action: Action<Input, Output, Failure>

  init(
    _ root: Root<Output, ActionError<Failure>>, _ execution: Signal<Output, Failure>.Observer?,
    of action: Action<Input, Output, Failure>
  ) {
    self.root = root
    self.execution = execution
    self.action = action
  }

  override func receive(_ value: Output) {
    root.send(value)
    execution?.send(value: value)
    action.tell(.value(value))
  }

  override func terminate(_ termination: Termination<Failure>) {
    root.send(termination.mapError(ActionError.producerFailed))
    execution?.terminate(termination)
    action.tell(Event(termination))
  }
}
