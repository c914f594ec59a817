/// Binds the source on the right to the target on the left.
infix operator <~ : BindingPrecedence

/// Binds tighter than assignment, to the right.
precedencegroup BindingPrecedence {
  associativity: right
  higherThan: AssignmentPrecedence
}

/// Takes bound values: on a scheduler, for as long as a lifetime lasts.
public struct BindingTarget<Value>: BindingTargetProvider {
  /// Bindings stop when it ends.
  public let lifetime: Lifetime
  /// What is done with each value.
  public let action: (Value) -> Void

  /// The target itself.
  public var bindingTarget: BindingTarget { self }

  /// Creates a target that does `action` with each value.
  @preconcurrency
  public init(lifetime: Lifetime, action: @escaping @Sendable (Value) -> Void) {
    self.init(lifetime: lifetime, unchecked: action)
  }

  /// Creates a target of a closure that keeps its own safety.
  init(lifetime: Lifetime, unchecked action: @escaping (Value) -> Void) {
    self.lifetime = lifetime
    self.action = action
  }

  /// Creates a target that sets a property of an object that it does not keep alive.
  public init<Object: AnyObject>(
    lifetime: Lifetime, object: Object, keyPath: ReferenceWritableKeyPath<Object, Value>
  ) {
    self.init(lifetime: lifetime, unchecked: { [weak object] in object?[keyPath: keyPath] = $0 })
  }
}

extension BindingTarget where Value: Sendable {
  /// Creates a target that does `action` with each value, on `scheduler`.
  @preconcurrency
  public init(
    on scheduler: any Scheduler, lifetime: Lifetime, action: @escaping @Sendable (Value) -> Void
  ) {
    self.init(lifetime: lifetime, unchecked: { value in scheduler.schedule { action(value) } })
  }
}

// Safety: the closures that users give are Sendable.
extension BindingTarget: @unchecked Sendable where Value: Sendable {}

/// Anything that bound values can go to.
public protocol BindingTargetProvider<Value> {
  /// The type of the values.
  associatedtype Value
  /// Where the values go.
  var bindingTarget: BindingTarget<Value> { get }
}

extension BindingTargetProvider {
  /// Binds a source: each of its values goes to the target, until the source ends, the target's
  /// lifetime ends or the returned disposable is disposed of.
  ///
  /// - Returns: what ends the binding; nil when the target's lifetime has ended.
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
    let target = provider.bindingTarget
    return bind(
      BindingTarget<Source.Value>(lifetime: target.lifetime, unchecked: { target.action($0) }),
      to: source.producer)
  }
}

private func bind<Value>(
  _ target: BindingTarget<Value>, to source: SignalProducer<Value, Never>
) -> (any Disposable)? {
  guard !target.lifetime.hasEnded else { return nil }
  let run = source.begin(into: ValueSink(target.action))
  target.lifetime += run
  return run
}

extension Optional: BindingTargetProvider where Wrapped: BindingTargetProvider {
  /// The wrapped target, or one that has ended.
  public var bindingTarget: BindingTarget<Wrapped.Value> {
    self?.bindingTarget ?? BindingTarget(lifetime: .empty, unchecked: { _ in })
  }
}
