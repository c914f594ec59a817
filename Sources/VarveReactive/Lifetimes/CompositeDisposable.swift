/// A growing collection of disposables that are disposed of together, in order of addition.
///
///     let disposables = CompositeDisposable()
///     disposables += query.observeValues { show($0) }
///     disposables += { indicator.stop() }
///     disposables.dispose()
///
/// A composite keeps its contents until it is disposed of or they are detached. Releasing it
/// disposes of nothing; `ScopedDisposable` does.
///
/// - Complexity: adding takes one allocation and O(1); detaching is O(1).
public final class CompositeDisposable: Disposable {
  let list = DisposalList()

  /// Creates an empty composite.
  public init() {}

  /// Creates a composite that holds `disposables`.
  public init<S: Sequence>(_ disposables: S) where S.Element == any Disposable {
    for disposable in disposables { add(disposable) }
  }

  /// Creates a composite that holds the elements of `disposables` that are not nil.
  public convenience init<S: Sequence>(_ disposables: S) where S.Element == (any Disposable)? {
    self.init(disposables.compactMap { $0 })
  }

  deinit {
    list.abandon()
  }

  /// Whether it has been disposed of.
  public var isDisposed: Bool { list.isDisposed }

  /// Disposes of the contents, in order of addition.
  public func dispose() {
    list.dispose()
  }

  /// Adds a disposable, or disposes of it at once if this has already been disposed of.
  ///
  /// - Returns: a disposable that removes the addition again without disposing of it; nil if there
  ///   is nothing to remove.
  @discardableResult
  public func add(_ disposable: (any Disposable)?) -> (any Disposable)? {
    guard let disposable, !disposable.isDisposed else { return nil }
    return list.add(.disposable(disposable))
  }

  /// Adds a closure, or runs it at once if this has already been disposed of.
  ///
  /// - Returns: a disposable that removes the closure again without running it; nil if there is
  ///   nothing to remove.
  @preconcurrency
  @discardableResult
  public func add(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
    list.add(.action(action))
  }

  /// Adds a disposable, as `add(_:)` does.
  @discardableResult
  public static func += (
    composite: CompositeDisposable, disposable: (any Disposable)?
  ) -> (any Disposable)? {
    composite.add(disposable)
  }

  /// Adds a closure, as `add(_:)` does.
  @preconcurrency
  @discardableResult
  public static func += (
    composite: CompositeDisposable, action: @escaping @Sendable () -> Void
  ) -> (any Disposable)? {
    composite.add(action)
  }
}
