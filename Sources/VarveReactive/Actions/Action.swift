internal import VarveProbe

/// A unit of work that can be started with an input, and that reports on its runs.
///
///     let save = Action<Document, Revision, DiskError>(enabledIf: isOnline) { document in
///       disk.write(document)
///     }
///     save.isExecuting.producer.startWithValues { spinner.isVisible = $0 }
///     save.errors.observeValues { print("not saved:", $0) }
///     save.apply(document).start()
///
/// The work is done once for each start of the producer that `apply` returns. Unless an action
/// allows concurrent runs, it can be started only while no run is in progress; any other start
/// fails with `ActionError.disabled`.
///
/// - *Memory*: the action keeps the property that it depends on. It is kept by its runs, but not by
///   its bindings or signals.
/// - *Scheduling*: the work begins on the thread that starts it; each event is delivered on the
///   thread on which it occurs.
///   happens on.
public final class Action<Input, Output, Failure: Error> {
  /// Every event of every run, as values; completes when the action is released.
  public let events: Signal<Event<Output, Failure>, Never>
  /// A signal for each run, sent before its work begins, so that an observer attached at once
  /// misses nothing.
  ///
  ///     uploads.executions.flatten(.concat)  // one run's values after the other's
  ///
  /// A run's signal ends as the run does: it fails with what the work fails with, and is
  /// interrupted when the run is disposed of. `executions` completes when the action is released.
  public let executions: Signal<Signal<Output, Failure>, Never>
  /// The values of all runs.
  public let values: Signal<Output, Never>
  /// The failures of all runs.
  public let errors: Signal<Failure, Never>
  /// Sends a value when a run has completed.
  public let completed: Signal<Void, Never>
  /// Sends a value when a start was refused.
  public let disabledErrors: Signal<Void, Never>
  /// Whether a run is in progress.
  public let isExecuting: Property<Bool>
  /// Whether a start would begin a run now.
  public let isEnabled: Property<Bool>
  /// A lifetime that ends when the action is released.
  public let lifetime: Lifetime

  private let token: Lifetime.Token
  private let gate: ActionGate
  private let eventsInput: Signal<Event<Output, Failure>, Never>.Observer
  private let refusals: Signal<Void, Never>.Observer
  private let executionsRoot: Root<Signal<Output, Failure>, Never>
  private let scope: TemplateScope
  /// Returns the work for an input; nil if the property that the action depends on forbids it.
  private let work: (Input) -> SignalProducer<Output, Failure>?

  /// Creates an action that depends on a property; the safety of the closures is up to the caller.
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
      of: identity, isAllowed: isEnabled(ReadCell.reading { state.value }),
      allowsConcurrency: allowsConcurrency)
    self.gate = gate
    isExecuting = gate.isExecuting
    self.isEnabled = gate.isEnabled
    (lifetime, token) = Lifetime.make()
    scope = TemplateScope(of: .identity(identity))
    // The value that was checked is the very one that the work receives.
    work = { input in
      let value = ReadCell.reading { state.value }
      return isEnabled(value) && gate.tryBegin() ? execute(value, input) : nil
    }
    // A binding, so that a trace shows on what it depends whether a run may begin.
    let condition = BindingSink<State.Value>(
      { gate.setAllowed(isEnabled($0)) }, into: gate.enabledStream)
    lifetime += state.producer.begin(into: condition)
  }

  /// Creates a pipe whose observers may cause further values, which are delivered afterwards.
  private static func makePipe<Value, PipeFailure>(
    _ identity: StreamIdentity
  ) -> (Signal<Value, PipeFailure>, Signal<Value, PipeFailure>.Observer) {
    let (fanOut, root) = Signal<Value, PipeFailure>.makeRoot(identity)
    return (
      Signal(fanOut),
      Signal<Value, PipeFailure>.Input.make(root, recursion: .queued, isOwn: true)
    )
  }

  deinit {
    eventsInput.sendCompleted()
    executionsRoot.send(.completed)
    refusals.sendCompleted()
    gate.close()
    token.dispose()
  }

  /// Returns a producer each start of which is a run with `input`.
  ///
  /// - Returns: a producer that sends what the work sends; it fails with `disabled` if the action
  ///   cannot be started, and with `producerFailed` if the work fails. Disposing of a start stops
  ///   the work.
  public func apply(_ input: Input) -> SignalProducer<Output, ActionError<Failure>> {
    scope.run { SignalProducer(ApplyRecipe(self, input)) }
  }

  /// Begins a run with `input`, if one can begin now.
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

  /// Sends a signal for the run that begins, and returns its input; nil if `executions` has no
  /// observer to receive it.
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

  /// The action's stream.
  fileprivate var identity: StreamIdentity { events.identity }
}

// Safety: the signals and the gate may be used from any thread; the closures that users provide are
// Sendable.
extension Action: @unchecked Sendable where Input: Sendable, Output: Sendable {}

extension Action where Input == Void {
  /// Returns a producer each start of which is a run. See `apply(_:)`.
  public func apply() -> SignalProducer<Output, ActionError<Failure>> { apply(()) }
}

extension Action: BindingTargetProvider {
  /// Starts the action with each bound value; values that arrive while it cannot be started count
  /// as refused.
  public var bindingTarget: BindingTarget<Input> {
    BindingTarget(
      lifetime: lifetime, into: identity, unchecked: { [weak self] in self?.apply($0).start() })
  }
}

extension Action: CustomStringConvertible {
  /// The action's name.
  public var description: String { identity.name }
}

extension UnaryOperator where InputFailure == OutputFailure {
  /// Returns an operator that picks something out of an action's events.
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
  // Safety: immutable; the action may be used from any thread.
  private let action: Action<Input, Output, Failure>
  private let input: Input

  init(_ action: Action<Input, Output, Failure>, _ input: Input) {
    self.action = action
    self.input = input
    super.init(
      Operation("apply(_:)", traits: .hasEffects), parents: [.identity(action.identity)],
      valueType: Output.self)
  }

  override func start(into sink: Observer<Output, ActionError<Failure>>, run: Run) {
    let root = Root<Output, ActionError<Failure>>(.recipe(self), run: Subscription.newNumber())
    let execution = CompositeDisposable()
    root.prepare(into: sink, resources: execution)
    run.adopt(root)
    root.introduce()
    guard !root.isOver else { return }
    action.run(input, into: root, execution)
  }
}

/// Forwards the events of a run: to the observer that started it, to the run's own signal, then to
/// the action's.
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
