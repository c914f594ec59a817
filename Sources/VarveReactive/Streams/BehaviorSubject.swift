internal import VarveProbe

/// A stream that is controlled by hand and always has a latest value, which late observers receive
/// first.
///
/// Unlike a `MutableProperty` it can fail, complete and be interrupted.
///
///     let level = BehaviorSubject<Int, DeviceFailure>(0)
///     device.levels.start(level.input)
///     level.producer.startWithResult { print($0) }  // 0, and then what follows
///
/// - *Events*: each start of `producer` receives the latest value, then those that follow, in
///   order, without gaps or duplicates, and the actual end; after the end, the latest value and the
///   end.
/// - *Memory*: the latest value.
/// - *Scheduling*: the latest value, and those that arrive meanwhile, on the thread that starts;
///   the others on the sender's thread.
public final class BehaviorSubject<Value, Failure: Error>: Subject {
  /// The input that controls the stream.
  public let input: Signal<Value, Failure>.Observer
  /// A producer of the latest value and then those that follow.
  public let producer: SignalProducer<Value, Failure>
  private let core: SubjectCore<Value, Failure>
  private let latest: Lock<Value>

  /// A signal of the values that follow, without the latest one.
  public var signal: Signal<Value, Failure> { core.signal }

  /// The latest value. It is never older than a value that an observer has received.
  public var value: Value { latest.withLock { $0 } }

  /// Creates a subject whose latest value is `initialValue`.
  public init(
    _ initialValue: Value, named name: String? = nil, file: String = #fileID, line: UInt = #line
  ) {
    let identity = StreamIdentity(
      .source("behaviorSubject", traits: .replays), name: name,
      place: SourcePlace(file: file, line: line),
      valueType: Value.self)
    let latest = Lock(initialValue)
    self.latest = latest
    core = SubjectCore(identity, capacity: 1, initial: initialValue)
    input = Signal<Value, Failure>.SubjectInput(core) { value in
      // Released outside the lock, because its deinitializer may be foreign code.
      let old = latest.withLock { current in
        defer { current = value }
        return current
      }
      withExtendedLifetime(old) {}
    }
    producer = core.makeProducer()
  }
}

// Safety: immutable except for a lock, and made of parts that may be used from any thread.
extension BehaviorSubject: @unchecked Sendable where Value: Sendable {}

extension BehaviorSubject: CustomStringConvertible {
  /// The stream's name.
  public var description: String { core.signal.description }
}
