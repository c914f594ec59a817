internal import VarveProbe

/// A stream that is controlled by hand and always has a latest value, which those who come late get
/// first.
///
/// Unlike a `MutableProperty` it can fail, complete and be interrupted.
///
///     let level = BehaviorSubject<Int, DeviceFailure>(0)
///     device.levels.start(level.input)
///     level.producer.startWithResult { print($0) }  // 0, and then what follows
///
/// - *Events*: who starts `producer` gets the latest value, then those that follow, in order,
///   without a gap or a double, and the real end; after the end, the latest value and the end.
/// - *Memory*: the latest value.
/// - *Scheduling*: the latest value, and those that come meanwhile, on the thread that starts, the
///   others on their sender's.
public final class BehaviorSubject<Value, Failure: Error>: Subject {
  /// What controls the stream.
  public let input: Signal<Value, Failure>.Observer
  /// The latest value, and then those that follow.
  public let producer: SignalProducer<Value, Failure>
  private let core: SubjectCore<Value, Failure>
  private let latest: Lock<Value>

  /// Those that follow, without the latest value.
  public var signal: Signal<Value, Failure> { core.signal }

  /// The latest value. It is never older than what an observer has got.
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
      // Let go outside the lock: its deinitialiser may be a stranger's.
      let old = latest.withLock { current in
        defer { current = value }
        return current
      }
      withExtendedLifetime(old) {}
    }
    producer = core.makeProducer()
  }
}

// Safety: immutable but for a lock, and what it is made of is made for many threads.
extension BehaviorSubject: @unchecked Sendable where Value: Sendable {}

extension BehaviorSubject: CustomStringConvertible {
  /// The stream's name.
  public var description: String { core.signal.description }
}
