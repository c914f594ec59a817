/// The run that all starts of a `replayLazily(upTo:)` share.
///
/// It is owned by the copies of the producer and by the running starts, and stops when none of them
/// is left.
private final class SharedRun<Value, Failure: Error>: @unchecked Sendable {
  // Safety: immutable but for the source, which has a lock; the cell is thread-safe.
  /// Taken by the start that begins the run, so that the run does not keep it.
  private let source: Lock<Recipe<Value, Failure>?>
  private let cell: ReplayCell<Value, Failure>
  private let run = Run()

  init(_ source: Recipe<Value, Failure>, _ cell: ReplayCell<Value, Failure>) {
    self.source = Lock(source)
    self.cell = cell
  }

  deinit {
    run.dispose()
    cell.send(.interrupted)
  }

  func replay(into sink: Root<Value, Failure>, run: Run) { cell.replay(into: sink, run: run) }

  func startOnce() {
    let recipe = source.withLock { $0.take() }
    recipe?.start(into: RunEnd(SharedSink(cell), run: run), run: run)
  }
}

/// Fills the cell. It does not own the shared run, which otherwise would never end.
private final class SharedSink<Value, Failure: Error>: Observer<Value, Failure> {
  private let cell: ReplayCell<Value, Failure>

  init(_ cell: ReplayCell<Value, Failure>) { self.cell = cell }

  override var hasEnough: Bool { cell.root.isOver }
  override func receive(_ value: Value) { cell.send(value) }
  override func terminate(_ termination: Termination<Failure>) { cell.send(termination) }
}

private final class ReplayRecipe<Value, Failure: Error>: Recipe<Value, Failure>,
  @unchecked Sendable
{
  // Safety: changed by `init` and `deinit` alone.
  private var shared: SharedRun<Value, Failure>?

  init(
    _ source: Recipe<Value, Failure>, capacity: Int, _ operation: Operation,
    receiver: StreamReference
  ) {
    super.init(operation, parents: [receiver], valueType: Value.self)
    shared = SharedRun(source, ReplayCell(identity, capacity: capacity))
  }

  override func start(into sink: Observer<Value, Failure>, run: Run) {
    let root = Root<Value, Failure>(.recipe(self), run: Subscription.newNumber())
    root.prepare(into: sink)
    run.adopt(root)
    root.introduce()
    guard let shared, !root.isOver else { return }
    run.adopt(Keeper(of: shared))
    shared.replay(into: root, run: run)
    shared.startOnce()
  }

  deinit { DeepRelease.letGo(of: &shared) }
}

/// Keeps an object alive for as long as a run lasts.
private final class Keeper: RunMember, @unchecked Sendable {
  // Safety: immutable.
  private let object: AnyObject

  init(of object: AnyObject) { self.object = object }
}

extension SignalProducer {
  /// Shares one run among all starts: the first start begins it, and later ones receive the latest
  /// `capacity` values, those that follow, and the same end.
  ///
  ///     self                  --1--2--3--4--|
  ///     first start           --1--2--3--4--|
  ///     start in the middle          23--4--|   replayLazily(upTo: 2)
  ///     start after the end                 34|
  ///
  /// - *Events*: those of the run, including its end.
  /// - *Memory*: the latest `capacity` values, until the producer and all its starts are released.
  ///   Then the run is interrupted.
  /// - *Scheduling*: replayed values, and those that arrive during the replay, on the thread that
  ///   starts; the others on the sender's thread.
  public func replayLazily(upTo capacity: Int) -> SignalProducer {
    precondition(capacity >= 0, "a number of values cannot be negative")
    return replayingLazily(
      upTo: capacity,
      Operation(
        "replayLazily(upTo: $)", [.count(capacity)],
        traits: capacity > 0 ? .replays : []))
  }

  /// Shares one run among all starts: the first start begins it, and later ones receive all values
  /// so far, those that follow, and the same end. See `replayLazily(upTo:)`.
  public func replayLazily() -> SignalProducer {
    replayingLazily(
      upTo: .max, Operation("replayLazily()", traits: .replays))
  }

  /// - Parameter receiver: the stream to which the name ascribes the operator, if not this
  ///   producer.
  package func replayingLazily(
    upTo capacity: Int, _ operation: Operation, receiver: StreamReference? = nil
  ) -> SignalProducer {
    SignalProducer(
      ReplayRecipe(
        recipe, capacity: capacity, operation, receiver: receiver ?? .recipe(recipe)))
  }
}
