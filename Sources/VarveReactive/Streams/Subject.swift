/// A stream that is controlled manually and may be observed late.
///
/// It corresponds to ReactiveCocoa 2's subjects other than the plain one, which is `Signal.pipe()`.
/// A producer can be started directly into it:
///
///     let results = ReplaySubject<Results, SearchFailure>(upTo: 1)
///     search.start(results.input)
///     results.producer.startWithResult { print($0) }
///
/// - *Events*: all current observers receive the events that are sent to the input, in order; late
///   observers receive the kept ones. Once neither the subject nor its input is referenced, nothing
///   can arrive, and the observers are interrupted.
/// - *Memory*: the events that this kind of subject keeps.
/// - *Scheduling*: the sender's thread; kept events arrive on the thread that starts.
public protocol Subject<Value, Failure>: AnyObject, SignalProducerConvertible {
  /// The input that controls the stream.
  var input: Signal<Value, Failure>.Observer { get }
}

extension Subject {
  /// Sends a value, waiting while another thread sends. Returns after every observer has run.
  public func send(value: Value) { input.send(value: value) }

  /// Sends a failure, which ends the stream.
  public func send(error: Failure) { input.send(error: error) }

  /// Sends completion, which ends the stream.
  public func sendCompleted() { input.sendCompleted() }

  /// Sends interruption, which ends the stream.
  public func sendInterrupted() { input.sendInterrupted() }
}

/// The parts of a subject: the kept events, and a signal of the following ones.
package final class SubjectCore<Value, Failure: Error>: Sendable {
  let cell: ReplayCell<Value, Failure>
  // Safety: a signal may be used from any thread; it is not Sendable only because its values may
  // not be.
  /// The signal of the following events, stored because a signal that is neither referenced nor
  /// observed ends.
  nonisolated(unsafe) package let signal: Signal<Value, Failure>

  /// - Parameters:
  ///   - capacity: the number of values that late observers receive.
  ///   - initial: the value that they receive until the first one is sent.
  init(_ identity: StreamIdentity, capacity: Int, initial: Value? = nil) {
    cell = ReplayCell(identity, capacity: capacity, initial: initial, isRecorded: true)
    cell.root.isSentInto = true
    signal = Signal(cell.fanOut)
  }

  /// Creates the core of a stream that is called `title`.
  package convenience init(_ title: StreamTitle, capacity: Int) {
    self.init(title.identity, capacity: capacity)
  }

  /// Creates an input.
  ///
  /// - Parameter other: the core of another stream, which ends when this one is ended through the
  ///   input.
  package func makeInput(
    ending other: SubjectCore? = nil
  ) -> Signal<Value, Failure>.Observer { Signal<Value, Failure>.SubjectInput(self, ending: other) }

  /// Returns a producer that, at each start, sends the kept events and then the following ones.
  package func makeProducer() -> SignalProducer<Value, Failure> {
    SignalProducer(SubjectRecipe(self))
  }
}

/// Sends the events that a subject keeps, then those that follow.
private final class SubjectRecipe<Value, Failure: Error>:
  Recipe<Value, Failure>, @unchecked Sendable
{
  // Safety: immutable.
  private let core: SubjectCore<Value, Failure>

  init(_ core: SubjectCore<Value, Failure>) {
    self.core = core
    super.init(
      Operation("producer", traits: .standsIn, isTransparent: true),
      parents: [.identity(core.signal.identity)], valueType: Value.self)
  }

  override func start(into sink: Observer<Value, Failure>, run: Run) {
    let root = Root<Value, Failure>(.recipe(self), run: Subscription.newNumber())
    root.prepare(into: sink)
    run.adopt(root)
    root.introduce()
    guard !root.isOver else { return }
    core.cell.replay(into: root, run: run)
  }
}

extension Signal {
  /// The input of a subject. Releasing it interrupts the stream, because nothing more can arrive.
  final class SubjectInput: Observer, @unchecked Sendable {
    // Safety: the cell may be used from any thread.
    private let core: SubjectCore<Value, Failure>
    private let other: SubjectCore<Value, Failure>?
    private let willDeliver: ((Value) -> Void)?

    /// - Parameters:
    ///   - other: the core of another stream, which ends when this one is ended through the input.
    ///   - willDeliver: called with each value in its turn, before it is delivered to any observer.
    init(
      _ core: SubjectCore<Value, Failure>, ending other: SubjectCore<Value, Failure>? = nil,
      willDeliver: ((Value) -> Void)? = nil
    ) {
      self.core = core
      self.other = other
      self.willDeliver = willDeliver
      super.init(value: nil, failed: nil, completed: nil, interrupted: nil)
    }

    deinit { core.cell.send(.interrupted) }

    override var fedStream: UInt32 { core.signal.identity.id }
    override var hasEnough: Bool { core.cell.root.isOver }

    override func receive(_ value: Value) {
      guard let willDeliver else { return core.cell.send(value) }
      core.cell.send(value, afterKeeping: { willDeliver(value) })
    }

    override func terminate(_ termination: Termination<Failure>) {
      core.cell.send(termination)
      other?.cell.send(termination)
    }
  }
}
