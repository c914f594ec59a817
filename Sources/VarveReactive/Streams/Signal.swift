internal import CVarveSystem
internal import VarveProbe

/// A hot stream of events: it is in progress whether or not it is observed.
///
/// A signal's work starts when the signal is created. Observing it has no side effects. All
/// observers receive the same events in the same order, from the moment at which they were
/// attached. Events are serial: an observer never runs twice at the same time, even if several
/// threads send.
///
///     let (taps, input) = Signal<Int, Never>.pipe()
///     taps.map { $0 * 2 }.observeValues { print($0) }
///     input.send(value: 21)  // prints 42
///
/// A signal lives while it is referenced or observed; holding its input is not enough. When the
/// input of a signal is released, the signal's observers are interrupted.
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
  ///   - file: the file in which the stream is created; part of its name if it has no other.
  ///   - line: the line in `file`.
  ///   - generator: receives the signal's input, and a lifetime that ends after the signal has
  ///     ended, or when the signal can no longer be reached or observed.
  public convenience init(
    file: String = #fileID, line: UInt = #line,
    _ generator: (Observer, Lifetime) -> Void
  ) {
    self.init(
      place: Place(file: file, line: UInt32(clamping: line)), recursion: .refused, generator)
  }

  /// Creates a signal; `recursion` determines how values are handled that the generator sends
  /// during a delivery.
  convenience init(
    place: Place, recursion: Recursion, _ generator: (Observer, Lifetime) -> Void
  ) {
    let identity = StreamIdentity(.source("signal"), place: place, valueType: Value.self)
    let (lifetime, token) = Lifetime.make()
    let (fanOut, root) = Self.makeRoot(identity, resources: AnyDisposable { token.dispose() })
    self.init(fanOut)
    generator(Input.make(root, recursion: recursion), lifetime)
  }

  /// Creates a fan-out directly behind a root.
  static func makeRoot(
    _ identity: StreamIdentity, resources: (any Disposable)? = nil, isRecorded: Bool = true,
    note: LatestCause<Value, Failure>? = nil
  ) -> (FanOut<Value, Failure>, Root<Value, Failure>) {
    let root = Root<Value, Failure>(.identity(identity), isRecorded: isRecorded, note: note)
    let fanOut = FanOut<Value, Failure>(in: root, identity)
    root.prepare(into: fanOut, resources: resources)
    // Captures the root, which the observer list retains anyway; the cleanup of a long chain may be
    // deferred beyond the list's lifetime.
    fanOut.observers.prepare { root.abandon() }
    return (fanOut, root)
  }

  /// Attaches an observer of any kind.
  @discardableResult
  @usableFromInline
  func attach(_ sink: VarveReactive.Observer<Value, Failure>) -> (any Disposable)? {
    let subscription = Subscription(to: fanOut.observers, from: sink)
    return subscription.attach() ? subscription : nil
  }
}

// Safety: all mutable state of a signal changes inside its serializer.
extension Signal: @unchecked Sendable where Value: Sendable {}

extension Signal: CustomStringConvertible {
  /// The stream's name: `username.skipRepeats().take(first: 3)`.
  public var description: String { identity.name }

  /// The name without the last name given by `named(_:)` or by the source.
  public var derivation: String { identity.derivation }
}
