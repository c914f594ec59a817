// Operators that share one run of a producer among many observers. Each returns a connection, which
// `autoconnect()` turns back into a producer.

extension SignalProducer {
  /// Returns a connection whose observers share one run and receive the events that are sent after
  /// they subscribed.
  ///
  ///     self            --1--2--3--|
  ///     first observer  --1--2--3--|
  ///     second observer      2--3--|
  ///
  /// - *Events*: those of the run; an observer that subscribes after its end receives the end.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread. The run begins with `Connection.connect()`.
  public func publish() -> Connection<Value, Failure> {
    sharing(
      Operation("publish()"), capacity: 0)
  }

  /// Returns a connection whose observers share one run and receive everything that it has sent.
  ///
  ///     self            --1--2--3--|
  ///     first observer  --1--2--3--|
  ///     second observer     12--3--|
  ///
  /// - *Events*: those of the run, including its actual end.
  /// - *Memory*: all values of the run, until both the connection and its producer are released.
  /// - *Scheduling*: stored values on the thread that starts, later ones on the sender's thread.
  ///   The run begins with `Connection.connect()`.
  public func replay() -> Connection<Value, Failure> {
    sharing(
      Operation("replay()", traits: .replays), capacity: .max)
  }

  /// Returns a connection whose observers share one run and receive the latest `capacity` values
  /// that it has sent. See `replay()`.
  public func replay(upTo capacity: Int) -> Connection<Value, Failure> {
    precondition(capacity >= 0, "a number of values cannot be negative")
    return sharing(
      Operation(
        "replay(upTo: $)", [.count(capacity)],
        traits: capacity > 0 ? .replays : []),
      capacity: capacity)
  }

  /// Returns a connection whose observers share one run and receive the latest value that it has
  /// sent. See `replay()`.
  public func replayLast() -> Connection<Value, Failure> {
    sharing(
      Operation("replayLast()", traits: .replays), capacity: 1
    )
  }

  /// Returns a connection whose run is sent into `subject`, which decides what late observers
  /// receive.
  ///
  ///     self             --1--2--3--|
  ///     second observer      2--3--|      into a subject that keeps the latest value
  ///
  /// - *Events*: those of the run, and any others that are sent into the subject.
  /// - *Memory*: the values that the subject keeps.
  /// - *Scheduling*: that of the subject. The run begins with `Connection.connect()`.
  public func multicast(
    into subject: some Subject<Value, Failure>
  ) -> Connection<Value, Failure> {
    let producer = SignalProducer(MulticastRecipe(recipe, into: subject.producer.recipe))
    return Connection(recipe, into: subject.input, producer)
  }

  private func sharing(
    _ operation: Operation, capacity: Int
  ) -> Connection<Value, Failure> {
    let identity = StreamIdentity(
      operation, parents: [recipe.identity], valueType: Value.self)
    let core = SubjectCore<Value, Failure>(identity, capacity: capacity)
    return Connection(
      recipe, into: Signal<Value, Failure>.SubjectInput(core), core.makeProducer())
  }
}

/// Observes the subject into which a producer is sent.
private final class MulticastRecipe<Value, Failure: Error>:
  Recipe<Value, Failure>, @unchecked Sendable
{
  // Safety: immutable.
  private let subject: Recipe<Value, Failure>

  init(_ source: Recipe<Value, Failure>, into subject: Recipe<Value, Failure>) {
    self.subject = subject
    super.init(
      Operation("multicast(into: $)", [.parent(1)]),
      parents: [.recipe(source), .recipe(subject)], valueType: Value.self)
  }

  override func start(into sink: Observer<Value, Failure>, run: Run) {
    subject.start(into: PassingStage.leading(to: sink, as: .recipe(self)), run: run)
  }
}
