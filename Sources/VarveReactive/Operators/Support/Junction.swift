/// An operator that has several inputs, or whose output comes on another thread than its input: it
/// owns a root, to which its inlets send.
///
/// Like a `UnaryOperator` it is written once and applied to signals and to producers.
struct Junction<Output, OutputFailure: Error> {
  let operation: Operation
  /// The streams that feed it, in the order of the inputs.
  let inputs: [any Upstream]
  /// Where the output is delivered, if not where the inputs are.
  let scheduler: SchedulerReference<any Scheduler>?
  /// Connects the inputs to the root; what it adds to the disposables is disposed of after the end.
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
  /// The signal that a junction makes. Its inputs are observed at once.
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
  /// The producer that a junction makes. Its inputs are started at each start.
  init(_ junction: Junction<Value, Failure>) {
    self.init(JunctionRecipe(junction))
  }
}

private final class JunctionRecipe<Value, Failure: Error>:
  Recipe<Value, Failure>, @unchecked Sendable
{
  // Safety: changed by `deinit` alone; each start makes its own root.
  /// Emptied when the recipe goes.
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

/// A root whose events come on a scheduler, as a part of a run: so does its interruption.
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
    // A clock that has gone has taken its actions along: nothing is delivered meanwhile.
    guard let scheduler = scheduler.existing else { return root.interrupt(then: next) }
    root.interrupt(on: scheduler, then: next)
  }
}

/// Where the output of a junction with one input goes.
struct Outlet<Output, OutputFailure: Error> {
  let root: Root<Output, OutputFailure>
  /// Disposed of after the end.
  let disposables: CompositeDisposable
}

extension Junction {
  /// A junction with one input, which the inlet that `makeInlet` makes receives.
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

  /// Observes or starts the input. What stops it is among `disposables` before the first event, so
  /// that a junction that ends meanwhile stops a producer that would never return.
  func connect(_ sink: Observer<Value, Failure>, stoppedBy disposables: CompositeDisposable) {
    begin(sink, disposables)
  }
}

extension Feed {
  /// Whether it does nothing until it is connected.
  var isCold: Bool {
    switch reference {
    case .identity: false
    case .title: true
    }
  }
}

// Safety: immutable; what it begins is made for many threads.
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

/// Receives one input of a junction. A subclass says what becomes of a value: it is sent to the root,
/// put aside in a `Held`, or swallowed for a reason.
class Inlet<Input, InputFailure: Error, Output, OutputFailure: Error>:
  Observer<Input, InputFailure>
{
  let root: Root<Output, OutputFailure>
  private let number: UInt64

  init(_ root: Root<Output, OutputFailure>, number: UInt64 = Subscription.newNumber()) {
    self.root = root
    self.number = number
  }

  /// Says that the value at hand goes no further, and why.
  @inline(__always)
  final func swallow(_ reason: Absorption) {
    if InputAccount.isKept { account.swallow(reason) }
  }

  /// Says that a value that was put aside goes no further, and why.
  @inline(__always)
  final func swallow<Held>(_ held: VarveReactive.Held<Held>?, _ reason: Absorption) {
    if let held, InputAccount.isKept { account.swallow(held, reason) }
  }

  /// What became of the values of the input, for those that were put aside.
  final var account: InputAccount { InputAccount(of: root.reference, from: number) }

  /// The subscription through which this input comes.
  override final var feed: UInt64 { number }
  override final var fedStream: UInt32 { root.rootStream?.id ?? 0 }
  override final var hasEnough: Bool { root.isOver }
}
