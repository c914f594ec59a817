/// The span of an object's life, for observers that want to end with it.
///
/// A lifetime ends when its token is disposed of or released. An owner keeps the token and hands
/// out the lifetime.
///
///     final class Player {
///       private let token = Lifetime.Token()
///       var lifetime: Lifetime { Lifetime(token) }
///     }
///     player.lifetime.observeEnded { print("the player has gone") }
///
/// A lifetime keeps neither its token nor the owner alive.
public final class Lifetime: Sendable {
  let list: DisposalList

  init(_ list: DisposalList) {
    self.list = list
  }

  /// Creates the lifetime that ends when `disposables` is disposed of.
  convenience init(_ disposables: CompositeDisposable) {
    self.init(disposables.list)
  }

  /// Creates the lifetime that ends with `token`.
  public convenience init(_ token: Token) {
    self.init(token.list)
  }

  /// Creates a lifetime together with the token that ends it.
  public static func make() -> (lifetime: Lifetime, token: Token) {
    let token = Token()
    return (Lifetime(token), token)
  }

  /// A lifetime that has ended.
  public static let empty: Lifetime = {
    let list = DisposalList()
    list.dispose()
    return Lifetime(list)
  }()

  /// Whether the lifetime has ended.
  public var hasEnded: Bool { list.isDisposed }

  /// Runs `action` when the lifetime ends, or at once if it has ended.
  ///
  /// - Returns: what takes the action out again; nil when it has run already.
  /// - Complexity: O(1), and so is taking it out again.
  @preconcurrency
  @discardableResult
  public func observeEnded(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
    list.add(.action(action))
  }

  /// Disposes of `disposable` when the lifetime ends, or at once if it has ended.
  ///
  /// - Returns: a disposable that removes `disposable` again without disposing of it; nil if there
  ///   is nothing to remove.
  @discardableResult
  public static func += (
    lifetime: Lifetime, disposable: (any Disposable)?
  ) -> (any Disposable)? {
    guard let disposable, !disposable.isDisposed else { return nil }
    return lifetime.list.add(.disposable(disposable))
  }

  /// A token, kept by the owner, that ends its lifetimes when it is disposed of or released.
  public final class Token: Sendable {
    let list = DisposalList()

    /// Creates a token whose lifetimes have not ended.
    public init() {}

    deinit {
      dispose()
    }

    /// Ends the lifetimes now.
    public func dispose() {
      list.dispose()
    }
  }
}
