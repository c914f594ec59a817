/// A stream that is controlled by hand and keeps its latest values for late observers.
///
///     let lines = ReplaySubject<String, Never>(upTo: 2)
///     for line in ["a", "b", "c"] { lines.send(value: line) }
///     lines.producer.startWithValues { print($0) }  // b, c, and then what follows
///
/// - *Events*: each start of `producer` receives the kept values, then those that follow, in order,
///   without gaps or duplicates, and the actual end; after the end, the kept values and the end.
/// - *Memory*: the kept values, until the subject, its input and its producer are released.
/// - *Scheduling*: kept values, and those that arrive meanwhile, on the thread that starts; the
///   others on the sender's thread.
public final class ReplaySubject<Value, Failure: Error>: Subject {
  /// The input that controls the stream.
  public let input: Signal<Value, Failure>.Observer
  /// A producer of the kept values and then those that follow.
  public let producer: SignalProducer<Value, Failure>
  private let core: SubjectCore<Value, Failure>

  /// A signal of the values that follow, without the kept ones.
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
  /// - Precondition: `capacity >= 0`. A subject that keeps no values still delivers the end to late
  ///   observers.
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

// Safety: immutable, and made of parts that may be used from any thread.
extension ReplaySubject: @unchecked Sendable where Value: Sendable {}

extension ReplaySubject: CustomStringConvertible {
  /// The stream's name.
  public var description: String { core.signal.description }
}
