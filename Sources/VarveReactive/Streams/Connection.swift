internal import Synchronization
internal import VarveProbe

/// One run of a producer that any number of observers share.
///
///     let page = download.publish()
///     page.producer.map(\.title).startWithResult { show($0) }
///     page.producer.map(\.links).startWithResult { follow($0) }
///     page.connect()  // one download
///
/// - *Events*: those of the run, in order, and its end, which whoever comes late gets, too. Disposing
///   of what `connect()` returned interrupts those who share the run.
/// - *Memory*: what the connection was made to keep for those who come late: nothing but the end, or
///   the latest values. Dropping a connection stops nothing that somebody else keeps going.
/// - *Scheduling*: the run begins on the thread that connects; its events come on their sender's.
public final class Connection<Value, Failure: Error> {
  /// What the run sends, to everybody who starts this; starting it does not begin the run.
  public let producer: SignalProducer<Value, Failure>

  /// Let go of when it is started.
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

  /// Begins the run; later calls do nothing more.
  ///
  /// - Returns: what stops the run, and interrupts those who share it; always the same.
  @discardableResult
  public func connect() -> any Disposable {
    let isFirst = !hasConnected.exchange(true, ordering: .acquiringAndReleasing)
    // Also when somebody has disposed of the run meanwhile: then the start does no work, and it is
    // the one that tells those who share the run of its end.
    if isFirst {
      let recipe = source.take()
      recipe?.start(into: RunEnd(input, run: run), run: run)
    }
    return handle
  }

  /// Stops the run, or sees to it that it never begins, and interrupts those who share it.
  fileprivate func stop() {
    let hasBegun = hasConnected.exchange(true, ordering: .acquiringAndReleasing)
    run.dispose()
    if !hasBegun { input.terminate(.interrupted) }
  }

  /// A producer whose first start begins the run, and whose last start stops it when it ends. The run
  /// is never begun again: who starts it later gets what is kept, and the end.
  ///
  /// - *Events*: those of the run.
  /// - *Memory*: none of its own.
  /// - *Scheduling*: the sender's thread; the run begins on the thread of the first start.
  public func autoconnect() -> SignalProducer<Value, Failure> {
    SignalProducer(AutoconnectRecipe(self))
  }
}

// Safety: immutable but for an atomic, and for the source, which only the one who starts it touches;
// runs and recipes are made for many threads.
extension Connection: @unchecked Sendable where Value: Sendable {}

extension Connection: CustomStringConvertible {
  /// The name of the stream that is shared.
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
    // After the sink: who disposes of the last start hears of the end before the run is stopped.
    run.adopt(Membership(in: starts) { [connection] in connection.stop() })
    if isFirst { connection.connect() }
  }
}

/// How many starts share a run.
private final class StartCount: Sendable {
  private enum Phase {
    case waitingForFirst
    case shared(by: Int)
    case over
  }

  private let phase = Lock(Phase.waitingForFirst)

  /// One more; true when it is the first that there ever was.
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

  /// One less; true when none is left.
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
  // Safety: immutable but for an atomic.
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
