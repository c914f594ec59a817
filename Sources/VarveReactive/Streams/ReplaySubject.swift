/// A stream that is controlled by hand and keeps its latest values for those who come late.
///
///     let lines = ReplaySubject<String, Never>(upTo: 2)
///     for line in ["a", "b", "c"] { lines.send(value: line) }
///     lines.producer.startWithValues { print($0) }  // b, c, and then what follows
///
/// - *Events*: who starts `producer` gets the values that are kept, then those that follow, in
///   order, without a gap or a double, and the real end; after the end, the kept values and the end.
/// - *Memory*: the values that are kept, until the subject, its input and its producer have gone.
/// - *Scheduling*: kept values, and those that come meanwhile, on the thread that starts, the others on
///   their sender's.
public final class ReplaySubject<Value, Failure: Error>: Subject {
  /// What controls the stream.
  public let input: Signal<Value, Failure>.Observer
  /// What is kept, and then what follows.
  public let producer: SignalProducer<Value, Failure>
  private let core: SubjectCore<Value, Failure>

  /// What follows, without what is kept.
  public var signal: Signal<Value, Failure> { core.signal }

  /// Creates a subject that keeps all values.
  public convenience init(named name: String? = nil, file: String = #fileID, line: UInt = #line) {
    self.init(
      capacity: .max, .source("replaySubject", traits: .replays), name: name,
      place: SourcePlace(file: file, line: line)
    )
  }

  /// Creates a subject that keeps the latest `capacity` values.
  ///
  /// - Precondition: `capacity >= 0`. One that keeps none still tells late observers the end.
  public convenience init(
    upTo capacity: Int, named name: String? = nil, file: String = #fileID, line: UInt = #line
  ) {
    precondition(capacity >= 0, "a number of values cannot be negative")
    self.init(
      capacity: capacity, .source("replaySubject", traits: capacity > 0 ? .replays : []),
      name: name,
      place: SourcePlace(file: file, line: line))
  }

  private init(capacity: Int, _ operation: Operation, name: String?, place: SourcePlace) {
    let identity = StreamIdentity(operation, name: name, place: place, valueType: Value.self)
    core = SubjectCore(identity, capacity: capacity)
    input = Signal<Value, Failure>.SubjectInput(core)
    producer = core.makeProducer()
  }
}

// Safety: immutable, and what it is made of is made for many threads.
extension ReplaySubject: @unchecked Sendable where Value: Sendable {}

extension ReplaySubject: CustomStringConvertible {
  /// The stream's name.
  public var description: String { core.signal.description }
}
