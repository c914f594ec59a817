/// Binds the source on the right to the target on the left.
infix operator <~ : BindingPrecedence

/// The precedence of bindings: higher than assignment, right associative.
precedencegroup BindingPrecedence {
  associativity: right
  higherThan: AssignmentPrecedence
}

/// A target that receives bound values until its lifetime ends.
public struct BindingTarget<Value>: BindingTargetProvider {
  /// The lifetime of the target. Bindings stop when it ends.
  public let lifetime: Lifetime
  /// The closure that is called with each value.
  public let action: (Value) -> Void
  /// The stream that the values go into, for the trace; 0 if it is not known.
  let stream: UInt32

  /// The target itself.
  public var bindingTarget: BindingTarget { self }

  /// Creates a target that calls `action` with each value.
  @preconcurrency
  public init(lifetime: Lifetime, action: @escaping @Sendable (Value) -> Void) {
    self.init(lifetime: lifetime, unchecked: action)
  }

  /// Creates a target from a closure that ensures its own thread safety.
  ///
  /// - Parameter stream: the stream that the values go into, if it is known.
  init(
    lifetime: Lifetime, into stream: StreamIdentity? = nil,
    unchecked action: @escaping (Value) -> Void
  ) {
    self.lifetime = lifetime
    self.action = action
    self.stream = stream?.id ?? 0
  }

  /// Creates a target that passes optional values on to another.
  fileprivate init(wrappingInto target: BindingTarget<Value?>) {
    lifetime = target.lifetime
    action = { target.action($0) }
    stream = target.stream
  }

  /// Creates a target that sets a property of an object, which it references weakly, on the thread
  /// that sends the value.
  @preconcurrency
  public init<Object: AnyObject & Sendable>(
    lifetime: Lifetime, object: Object, keyPath: ReferenceWritableKeyPath<Object, Value>
  ) {
    self.init(lifetime: lifetime, unchecked: { [weak object] in object?[keyPath: keyPath] = $0 })
  }
}

extension BindingTarget where Value: Sendable {
  /// Creates a target that sets a property of an object, which it references weakly, on
  /// `scheduler`, where the object is used.
  @preconcurrency
  public init<Object: AnyObject>(
    on scheduler: any Scheduler, lifetime: Lifetime, object: Object,
    keyPath: ReferenceWritableKeyPath<Object, Value>
  ) {
    let slot = ObjectSlot(object, keyPath)
    self.init(
      lifetime: lifetime,
      unchecked: { value in scheduler.hop { if !lifetime.hasEnded { slot.fill(value) } } })
  }

  /// Creates a target that calls `action` with each value on `scheduler`.
  @preconcurrency
  public init(
    on scheduler: any Scheduler, lifetime: Lifetime, action: @escaping @Sendable (Value) -> Void
  ) {
    self.init(
      lifetime: lifetime,
      unchecked: { value in scheduler.hop { if !lifetime.hasEnded { action(value) } } })
  }
}

/// A property of an object that is accessed on one scheduler only.
private final class ObjectSlot<Object: AnyObject, Value>: @unchecked Sendable {
  // Safety: immutable except the weak reference, which is thread-safe; the object is accessed on
  // the scheduler that the client named for it.
  private weak var object: Object?
  private let keyPath: ReferenceWritableKeyPath<Object, Value>

  init(_ object: Object, _ keyPath: ReferenceWritableKeyPath<Object, Value>) {
    self.object = object
    self.keyPath = keyPath
  }

  func fill(_ value: Value) { object?[keyPath: keyPath] = value }
}

// Safety: the closures and objects of clients are Sendable, or accessed on the scheduler that was
// named for them.
extension BindingTarget: @unchecked Sendable where Value: Sendable {}

/// A type that has a target for bound values.
public protocol BindingTargetProvider<Value> {
  /// The type of the values.
  associatedtype Value
  /// The target that receives the values.
  var bindingTarget: BindingTarget<Value> { get }
}

extension BindingTargetProvider {
  /// Binds a source to a target. The target receives the source's values until the source or the
  /// target's lifetime ends, or the returned disposable is disposed of.
  ///
  /// - Returns: a disposable that ends the binding; already disposed of if the target's lifetime
  ///   has ended.
  @discardableResult
  public static func <~ <Source: BindingSource<Value>>(
    provider: Self, source: Source
  ) -> (any Disposable)? {
    bind(provider.bindingTarget, to: source.producer)
  }

  /// Binds a source to a target of optional values.
  @discardableResult
  public static func <~ <Source: BindingSource>(
    provider: Self, source: Source
  ) -> (any Disposable)? where Value == Source.Value? {
    bind(
      BindingTarget<Source.Value>(wrappingInto: provider.bindingTarget), to: source.producer)
  }
}

private func bind<Value>(
  _ target: BindingTarget<Value>, to source: SignalProducer<Value, Never>
) -> (any Disposable)? {
  let run = Run()
  guard !target.lifetime.hasEnded else {
    run.dispose()
    return run
  }
  // A target may outlive any number of sources, so it drops each when that source has ended.
  let handle = SerialDisposable()
  handle.inner = target.lifetime += run
  let sink = BindingSink(target.action, into: target.stream) { handle.dispose() }
  source.recipe.start(into: RunEnd(sink, run: run), run: run)
  return run
}

/// Passes values to the target of a binding, and removes the binding from the target's lifetime at
/// the end.
final class BindingSink<Value>: Observer<Value, Never> {
  private let action: (Value) -> Void
  private let stream: UInt32
  private let atEnd: () -> Void
  // Safety: written and read inside the serializer of the source.
  @exclusivity(unchecked) private var isRecorded = false

  init(
    _ action: @escaping (Value) -> Void, into stream: UInt32,
    atEnd: @escaping () -> Void = {}
  ) {
    self.action = action
    self.stream = stream
    self.atEnd = atEnd
  }

  override var fedStream: UInt32 { stream }

  override func follow(_ gate: UInt32, others: inout [AnyObserver]) -> AnyObserver? {
    isRecorded = gate != 0
    return nil
  }

  override func receive(_ value: Value) {
    guard isRecorded else { return action(value) }
    Records.bind(to: stream) { action(value) }
  }

  override func terminate(_ termination: Termination<Never>) { atEnd() }
}

extension Signal.Observer {
  /// Binds a source to the input of a signal, which receives the source's values but not its end,
  /// and is referenced weakly.
  ///
  /// - Returns: a disposable that ends the binding.
  @discardableResult
  public static func <~ <Source: BindingSource<Value>>(
    observer: Signal<Value, Failure>.Observer, source: Source
  ) -> any Disposable {
    source.producer.start(
      into: BindingSink(
        { [weak observer] in observer?.send(value: $0) }, into: observer.fedStream))
  }
}

extension Optional: BindingTargetProvider where Wrapped: BindingTargetProvider {
  /// The wrapped target, or one that has ended.
  public var bindingTarget: BindingTarget<Wrapped.Value> {
    self?.bindingTarget ?? BindingTarget(lifetime: .empty, unchecked: { _ in })
  }
}
