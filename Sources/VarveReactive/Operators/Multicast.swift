// What shares one run of a producer among many observers. `autoconnect()` makes a producer again of
// the connection that each of these returns.

extension SignalProducer {
  /// A connection whose observers share one run and get what is sent after they came.
  ///
  ///     self            --1--2--3--|
  ///     first observer  --1--2--3--|
  ///     second observer      2--3--|
  ///
  /// - *Events*: those of the one run; who comes after its end gets the end.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread. The run begins with `Connection.connect()`.
  public func publish() -> Connection<Value, Failure> {
    sharing(
      Operation("publish()"), capacity: 0)
  }

  /// A connection whose observers share one run and get everything that it has sent.
  ///
  ///     self            --1--2--3--|
  ///     first observer  --1--2--3--|
  ///     second observer     12--3--|
  ///
  /// - *Events*: those of the one run, and its real end.
  /// - *Memory*: all values of the run, until neither the connection nor its producer is left.
  /// - *Scheduling*: what is kept on the thread that starts, the rest on the sender's. The run begins
  ///   with `Connection.connect()`.
  public func replay() -> Connection<Value, Failure> {
    sharing(
      Operation("replay()", traits: .replays), capacity: .max)
  }

  /// A connection whose observers share one run and get the latest `capacity` values that it has
  /// sent. See `replay()`.
  public func replay(upTo capacity: Int) -> Connection<Value, Failure> {
    precondition(capacity >= 0, "a number of values cannot be negative")
    return sharing(
      Operation(
        "replay(upTo: $)", [.count(capacity)],
        traits: capacity > 0 ? .replays : []),
      capacity: capacity)
  }

  /// A connection whose observers share one run and get the latest value that it has sent. See
  /// `replay()`.
  public func replayLast() -> Connection<Value, Failure> {
    sharing(
      Operation("replayLast()", traits: .replays), capacity: 1
    )
  }

  /// A connection whose run goes into `subject`, which decides what late observers get.
  ///
  ///     self             --1--2--3--|
  ///     second observer      2--3--|      into a subject that keeps the latest value
  ///
  /// - *Events*: those of the one run, and whatever else is sent into the subject.
  /// - *Memory*: what the subject keeps.
  /// - *Scheduling*: as the subject has it. The run begins with `Connection.connect()`.
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

/// Observes the subject that a producer is to be sent into.
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
