/// A disposable that disposes of another one when it is released.
///
///     final class Screen {
///       private let observations = ScopedDisposable(CompositeDisposable())
///       init(_ query: Signal<String, Never>) {
///         observations += query.observeValues { print($0) }
///       }
///     }
public final class ScopedDisposable<Inner: Disposable>: Disposable {
  /// The disposable that is disposed of with this one.
  public let inner: Inner

  /// Creates a scoped disposable around `disposable`.
  public init(_ disposable: Inner) {
    inner = disposable
  }

  deinit {
    inner.dispose()
  }

  /// Whether the inner disposable has been disposed of.
  public var isDisposed: Bool { inner.isDisposed }

  /// Disposes of the inner disposable now.
  public func dispose() {
    inner.dispose()
  }
}

extension ScopedDisposable where Inner == AnyDisposable {
  /// Creates a scoped disposable around a disposable of any type.
  public convenience init(_ disposable: any Disposable) {
    self.init(AnyDisposable(disposable))
  }
}

extension ScopedDisposable where Inner == CompositeDisposable {
  /// Adds a disposable to the composite inside.
  @discardableResult
  public static func += (
    scoped: ScopedDisposable<CompositeDisposable>, disposable: (any Disposable)?
  ) -> (any Disposable)? {
    scoped.inner.add(disposable)
  }

  /// Adds a closure to the composite inside.
  @preconcurrency
  @discardableResult
  public static func += (
    scoped: ScopedDisposable<CompositeDisposable>, action: @escaping @Sendable () -> Void
  ) -> (any Disposable)? {
    scoped.inner.add(action)
  }
}

extension ScopedDisposable where Inner == SerialDisposable {
  /// The disposable that the serial disposable inside holds. Setting it disposes of the previous
  /// one.
  public var inner: (any Disposable)? {
    get { serial.inner }
    set { serial.inner = newValue }
  }

  private var serial: SerialDisposable { inner }
}
