/// A type with a namespace for reactive extensions: `object.reactive`.
public protocol ReactiveExtensionsProvider {}

extension ReactiveExtensionsProvider {
  /// The extensions of this object.
  public var reactive: Reactive<Self> { Reactive(self) }

  /// The extensions of this type.
  public static var reactive: Reactive<Self>.Type { Reactive<Self>.self }
}

/// The namespace of the reactive extensions of `Base`. Extend it where `Base` is your type.
public struct Reactive<Base> {
  /// The extended object or value.
  public let base: Base

  init(_ base: Base) { self.base = base }
}

extension Reactive: Sendable where Base: Sendable {}
