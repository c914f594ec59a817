internal import CVarveSystem
internal import VarveProbe

/// A stream of events that is under way whoever listens: hot.
///
/// A signal's work starts when the signal is made. Observing it has no side effect, all observers
/// see the same events in the same order, and an observer sees what is sent after it came. Events
/// are serial: an observer never runs twice at the same time, even when several threads send.
///
///     let (taps, input) = Signal<Int, Never>.pipe()
///     taps.map { $0 * 2 }.observeValues { print($0) }
///     input.send(value: 21)  // prints 42
///
/// A signal lives while somebody holds it or observes it; holding its input is not enough. When
/// nobody holds the input of a signal any more, its observers are interrupted.
public final class Signal<Value, Failure: Error> {
  let fanOut: FanOut<Value, Failure>

  /// The stream's identity.
  var identity: StreamIdentity { fanOut.observers.identity }

  init(_ fanOut: FanOut<Value, Failure>) {
    self.fanOut = fanOut
  }

  deinit { fanOut.observers.signalWentAway() }

  /// Creates a signal and starts its work: runs `generator` before returning.
  ///
  /// - Parameters:
  ///   - file: where the stream was made: its name, when it has no other.
  ///   - line: the line in `file`.
  ///   - generator: gets the signal's input, and a lifetime that ends after the signal has, or when
  ///     nobody can reach or observe it any more.
  public convenience init(
    file: String = #fileID, line: UInt = #line,
    _ generator: (Observer, Lifetime) -> Void
  ) {
    self.init(
      place: Place(file: file, line: UInt32(clamping: line)), recursion: .refused, generator)
  }

  /// Creates a signal whose generator's values meet a delivery in progress as `recursion` says.
  convenience init(
    place: Place, recursion: Recursion, _ generator: (Observer, Lifetime) -> Void
  ) {
    let identity = StreamIdentity(.source("signal"), place: place, valueType: Value.self)
    let (lifetime, token) = Lifetime.make()
    let (fanOut, root) = Self.makeRoot(identity, resources: AnyDisposable { token.dispose() })
    self.init(fanOut)
    generator(Input.make(root, recursion: recursion), lifetime)
  }

  /// A fan-out directly behind a root.
  static func makeRoot(
    _ identity: StreamIdentity, resources: (any Disposable)? = nil, isRecorded: Bool = true,
    note: LatestCause<Value, Failure>? = nil
  ) -> (FanOut<Value, Failure>, Root<Value, Failure>) {
    let root = Root<Value, Failure>(.identity(identity), isRecorded: isRecorded, note: note)
    let fanOut = FanOut<Value, Failure>(in: root, identity)
    root.prepare(into: fanOut, resources: resources)
    // The observer list keeps the root anyway; and a long chain's upkeep may be put off beyond that.
    fanOut.observers.prepare { root.abandon() }
    return (fanOut, root)
  }

  /// Attaches a sink of whatever kind.
  @discardableResult
  @usableFromInline
  func attach(_ sink: VarveReactive.Observer<Value, Failure>) -> (any Disposable)? {
    let subscription = Subscription(to: fanOut.observers, from: sink)
    return subscription.attach() ? subscription : nil
  }
}

// Safety: everything that changes in a signal changes inside its serializer.
extension Signal: @unchecked Sendable where Value: Sendable {}

extension Signal: CustomStringConvertible {
  /// The stream's name: `username.skipRepeats().take(first: 3)`.
  public var description: String { identity.name }

  /// What the name would be if `named(_:)`, or the source, had not given one last.
  public var derivation: String { identity.derivation }
}
