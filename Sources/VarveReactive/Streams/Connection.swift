internal import Synchronization
internal import VarveProbe

/// One run of a producer, shared by any number of observers.
///
///     let page = download.publish()
///     page.producer.map(\.title).startWithResult { show($0) }
///     page.producer.map(\.links).startWithResult { follow($0) }
///     page.connect()  // one download
///
/// - *Events*: those of the run, in order, and its end, which late observers receive too. Disposing
///   of the result of `connect()` interrupts the observers of the run.
/// - *Memory*: what the connection was made to keep for late observers: only the end, or the latest
///   values. Releasing a connection stops nothing that is kept alive elsewhere.
/// - *Scheduling*: the run begins on the thread that connects; its events arrive on the sender's
///   thread.
public final class Connection<Value, Failure: Error> {
  /// A producer of the run's events, for any number of starts; starting it does not begin the run.
  public let producer: SignalProducer<Value, Failure>

  /// The work, released when it is started.
  private var source: Recipe<Value, Failure>?
  private let input: Observer<Value, Failure>
  private let run = Run()
  private let handle: RunHandle
  private let hasConnected = Atomic<Bool>(false)

  init(
    _ source: Recipe<Value, Failure>, into input: Observer<Value, Failure>,
    _ producer: SignalProducer<Value, Failure>
  ) {
    self.source = source
    self.input = input
    self.producer = producer
    handle = RunHandle(run)
  }

  /// Begins the run; later calls have no effect.
  ///
  /// - Returns: a disposable that stops the run and interrupts its observers; always the same one.
  @discardableResult
  public func connect() -> any Disposable {
    let isFirst = !hasConnected.exchange(true, ordering: .acquiringAndReleasing)
    // Even if the run has been disposed of meanwhile: the start then does no work, but it notifies
    // the observers of the run's end.
    if isFirst {
      let recipe = source.take()
      recipe?.start(into: RunEnd(input, run: run), run: run)
    }
    return handle
  }

  /// Stops the run, or prevents it from ever beginning, and interrupts its observers.
  fileprivate func stop() {
    let hasBegun = hasConnected.exchange(true, ordering: .acquiringAndReleasing)
    run.dispose()
    if !hasBegun { input.terminate(.interrupted) }
  }

  /// Returns a producer whose first start begins the run, and whose last remaining start stops the
  /// run when it ends. The run is never begun again: later starts receive what is kept, and the
  /// end.
  ///
  /// - *Events*: those of the run.
  /// - *Memory*: nothing beyond the connection.
  /// - *Scheduling*: the sender's thread; the run begins on the thread of the first start.
  public func autoconnect() -> SignalProducer<Value, Failure> {
    SignalProducer(AutoconnectRecipe(self))
  }
}

// Safety: immutable except for an atomic, and for the source, which only the thread that starts it
// touches; runs and recipes may be used from any thread.
extension Connection: @unchecked Sendable where Value: Sendable {}

extension Connection: CustomStringConvertible {
  /// The name of the shared stream.
  public var description: String { producer.description }
}

/// Counts the starts that share a connection.
private final class AutoconnectRecipe<Value, Failure: Error>:
  Recipe<Value, Failure>, @unchecked Sendable
{
  // Safety: the count is locked; the rest is immutable.
  private let connection: Connection<Value, Failure>
  private let shared: Recipe<Value, Failure>
  private let starts = StartCount()

  init(_ connection: Connection<Value, Failure>) {
    self.connection = connection
    shared = connection.producer.recipe
    super.init(
      Operation("autoconnect()"), parents: [.recipe(shared)],
      valueType: Value.self)
  }

  override func start(into sink: Observer<Value, Failure>, run: Run) {
    let isFirst = starts.join()
    shared.start(into: PassingStage.leading(to: sink, as: .recipe(self)), run: run)
    // After the sink, so that an observer that disposes of the last start receives the end before
    // the run is stopped.
    run.adopt(Membership(in: starts) { [connection] in connection.stop() })
    if isFirst { connection.connect() }
  }
}

/// The number of starts that share a run.
private final class StartCount: Sendable {
  private enum Phase {
    case waitingForFirst
    case shared(by: Int)
    case over
  }

  private let phase = Lock(Phase.waitingForFirst)

  /// Adds a start; returns true if it is the first one ever.
  func join() -> Bool {
    phase.withLock { phase in
      switch phase {
      case .waitingForFirst:
        phase = .shared(by: 1)
        return true
      case .shared(let count):
        phase = .shared(by: count + 1)
        return false
      case .over:
        return false
      }
    }
  }

  /// Removes a start; returns true if none is left.
  func leave() -> Bool {
    phase.withLock { phase in
      guard case .shared(let count) = phase else { return false }
      phase = count == 1 ? .over : .shared(by: count - 1)
      return count == 1
    }
  }
}

/// One start among those that share a run.
private final class Membership: RunMember, @unchecked Sendable {
  // Safety: immutable except for an atomic.
  private let starts: StartCount
  private let stop: () -> Void
  private let hasLeft = Atomic<Bool>(false)

  init(in starts: StartCount, stop: @escaping () -> Void) {
    self.starts = starts
    self.stop = stop
  }

  deinit { interrupt() }

  override func interrupt() {
    guard !hasLeft.exchange(true, ordering: .acquiringAndReleasing) else { return }
    if starts.leave() { stop() }
  }
}
