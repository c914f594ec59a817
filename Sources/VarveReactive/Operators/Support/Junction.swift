/// An operator that has several inputs, or that delivers on another thread than its input. It owns
/// a root to which its inlets send.
///
/// Like a `UnaryOperator`, it is written once and applied to both signals and producers.
struct Junction<Output, OutputFailure: Error> {
  let operation: Operation
  /// The input streams, in order.
  let inputs: [any Upstream]
  /// The scheduler that delivers the output, if it is not delivered where the inputs are.
  let scheduler: SchedulerReference<any Scheduler>?
  /// Connects the inputs to the root. The disposables that it adds are disposed of after the end.
  let connect: (Root<Output, OutputFailure>, CompositeDisposable) -> Void

  init(
    _ operation: Operation, inputs: [any Upstream], on scheduler: (any Scheduler)? = nil,
    connect: @escaping (Root<Output, OutputFailure>, CompositeDisposable) -> Void
  ) {
    self.operation = operation
    self.inputs = inputs
    self.scheduler = scheduler.map(SchedulerReference.init)
    self.connect = connect
  }
}

extension Signal {
  /// Creates the output signal of a junction. The inputs are observed at once.
  convenience init(_ junction: Junction<Value, Failure>) {
    let identity = StreamIdentity(
      junction.operation, parents: junction.inputs.map(\.reference.identity), valueType: Value.self)
    let disposables = CompositeDisposable()
    let (fanOut, root) = Self.makeRoot(identity, resources: disposables)
    self.init(fanOut)
    junction.connect(root, disposables)
  }
}

extension SignalProducer {
  /// Creates the output producer of a junction. The inputs are started at each start.
  init(_ junction: Junction<Value, Failure>) {
    self.init(JunctionRecipe(junction))
  }
}

private final class JunctionRecipe<Value, Failure: Error>:
  Recipe<Value, Failure>, @unchecked Sendable
{
  // Safety: changed by `deinit` alone; each start makes its own root.
  /// Set to nil by `deinit`.
  @exclusivity(unchecked) private var connect:
    ((Root<Value, Failure>, CompositeDisposable) -> Void)?
  private let scheduler: SchedulerReference<any Scheduler>?

  init(_ junction: Junction<Value, Failure>) {
    connect = junction.connect
    scheduler = junction.scheduler
    super.init(junction.operation, parents: junction.inputs.map(\.reference), valueType: Value.self)
  }

  override func start(into sink: Observer<Value, Failure>, run: Run) {
    let root = Root<Value, Failure>(.recipe(self))
    let disposables = CompositeDisposable()
    root.prepare(into: sink, resources: disposables)
    run.adopt(scheduler.map { ScheduledRoot(root, $0) } ?? root)
    root.introduce()
    guard !root.isOver else { return }
    connect?(root, disposables)
  }

  deinit { DeepRelease.letGo(of: &connect) }
}

/// A member of a run for a root that delivers on a scheduler, where its interruption is delivered
/// as well.
private final class ScheduledRoot<Value, Failure: Error>: RunMember, @unchecked Sendable {
  // Safety: immutable.
  private let root: Root<Value, Failure>
  private let scheduler: SchedulerReference<any Scheduler>

  init(_ root: Root<Value, Failure>, _ scheduler: SchedulerReference<any Scheduler>) {
    self.root = root
    self.scheduler = scheduler
  }

  override func interrupt() { root.interrupt() }

  override func interrupt(then next: @escaping () -> Void) { root.interrupt(then: next) }

  override func interruptInItsPlace(then next: @escaping () -> Void) {
    // A deallocated scheduler has dropped its actions, so nothing is being delivered.
    guard let scheduler = scheduler.existing else { return root.interrupt(then: next) }
    root.interrupt(on: scheduler, then: next)
  }
}

/// The destination of the output of a junction with one input.
struct Outlet<Output, OutputFailure: Error> {
  let root: Root<Output, OutputFailure>
  /// Disposed of after the end.
  let disposables: CompositeDisposable
}

extension Junction {
  /// Creates a junction with one input, received by the inlet that `makeInlet` returns.
  init<Input, InputFailure>(
    _ operation: Operation, of feed: Feed<Input, InputFailure>,
    on scheduler: (any Scheduler)? = nil,
    _ makeInlet:
      @escaping (Outlet<Output, OutputFailure>) -> Inlet<
        Input, InputFailure, Output, OutputFailure
      >
  ) {
    self.init(operation, inputs: [feed], on: scheduler) { root, disposables in
      feed.connect(
        makeInlet(Outlet(root: root, disposables: disposables)), stoppedBy: disposables)
    }
  }
}

/// One input of a junction: a signal to observe or a producer to start.
struct Feed<Value, Failure: Error>: Upstream {
  let reference: StreamReference
  private let begin: (Observer<Value, Failure>, CompositeDisposable) -> Void

  init(
    reference: StreamReference,
    begin: @escaping (Observer<Value, Failure>, CompositeDisposable) -> Void
  ) {
    self.reference = reference
    self.begin = begin
  }

  /// Observes or starts the input. The means to stop it are added to `disposables` before the first
  /// event, so that a junction that ends in the meantime can stop a producer whose start would
  /// never return.
  func connect(_ sink: Observer<Value, Failure>, stoppedBy disposables: CompositeDisposable) {
    begin(sink, disposables)
  }
}

extension Feed {
  /// Whether the input is idle until it is connected.
  var isCold: Bool {
    switch reference {
    case .identity: false
    case .title: true
    }
  }
}

// Safety: immutable; signals and producers may be used from any thread.
extension Feed: @unchecked Sendable {}

extension Signal {
  /// This signal as an input of a junction.
  var feed: Feed<Value, Failure> {
    Feed(reference: .identity(identity)) { [self] sink, disposables in
      let subscription = Subscription(to: fanOut.observers, from: sink)
      disposables += subscription
      subscription.attach()
    }
  }
}

extension SignalProducer {
  /// This producer as an input of a junction.
  var feed: Feed<Value, Failure> {
    Feed(reference: .recipe(recipe)) { [recipe] sink, disposables in
      let run = Run()
      disposables += run
      recipe.start(into: RunEnd(sink, run: run), run: run)
    }
  }
}

/// Receives one input of a junction. A subclass decides on each value: it sends it to the root,
/// keeps it in a `Held`, or swallows it for a reason.
class Inlet<Input, InputFailure: Error, Output, OutputFailure: Error>:
  Observer<Input, InputFailure>
{
  let root: Root<Output, OutputFailure>
  private let number: UInt64

  init(_ root: Root<Output, OutputFailure>, number: UInt64 = Subscription.newNumber()) {
    self.root = root
    self.number = number
  }

  /// Notes that the current value goes no further, and why.
  @inline(__always)
  final func swallow(_ reason: Absorption) {
    if InputAccount.isKept { account.swallow(reason) }
  }

  /// Notes that a held value goes no further, and why.
  @inline(__always)
  final func swallow<Held>(_ held: VarveReactive.Held<Held>?, _ reason: Absorption) {
    if let held, InputAccount.isKept { account.swallow(held, reason) }
  }

  /// The account of this input's values, for the values that are held.
  final var account: InputAccount { InputAccount(of: root.reference, from: number) }

  /// The number of the subscription to this input.
  override final var feed: UInt64 { number }
  override final var fedStream: UInt32 { root.rootStream?.id ?? 0 }
  override final var hasEnough: Bool { root.isOver }
}
