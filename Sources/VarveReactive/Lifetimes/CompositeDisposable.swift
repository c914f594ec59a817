/// Disposes of a growing number of disposables together, in the order in which they were added.
///
///     let disposables = CompositeDisposable()
///     disposables += query.observeValues { show($0) }
///     disposables += { indicator.stop() }
///     disposables.dispose()
///
/// It keeps what it holds until it is disposed of or the addition is detached. Releasing it disposes
/// of nothing; `ScopedDisposable` does.
///
/// - Complexity: adding is one allocation and O(1); detaching is O(1).
public final class CompositeDisposable: Disposable {
  let list = DisposalList()

  /// Creates an empty one.
  public init() {}

  /// Creates one that holds `disposables`.
  public init<S: Sequence>(_ disposables: S) where S.Element == any Disposable {
    for disposable in disposables { add(disposable) }
  }

  /// Creates one that holds those of `disposables` that are there.
  public convenience init<S: Sequence>(_ disposables: S) where S.Element == (any Disposable)? {
    self.init(disposables.compactMap { $0 })
  }

  deinit {
    list.abandon()
  }

  /// Whether it has been disposed of.
  public var isDisposed: Bool { list.isDisposed }

  /// Disposes of everything it holds, in order of addition.
  public func dispose() {
    list.dispose()
  }

  /// Adds a disposable; disposes of it at once if this has been disposed of already.
  ///
  /// - Returns: what takes the disposable out again without disposing of it; nil when there is
  ///   nothing to take out.
  @discardableResult
  public func add(_ disposable: (any Disposable)?) -> (any Disposable)? {
    guard let disposable, !disposable.isDisposed else { return nil }
    return list.add(.disposable(disposable))
  }

  /// Adds a closure; runs it at once if this has been disposed of already.
  ///
  /// - Returns: what takes the closure out again without running it; nil when there is nothing to
  ///   take out.
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
