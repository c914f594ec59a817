/// An object for closures to capture, which shows whether they were released.
package final class Token: Sendable {
  package init() {}
}

/// A probe that shows whether a token is still retained. Only the object under test should retain
/// the token.
package struct WeakProbe: Sendable {
  private let token: @Sendable () -> Token?

  package init(_ token: Token) {
    let reference = WeakToken(token)
    self.token = { reference.token }
  }

  /// Whether the token is retained.
  package var isHeld: Bool { token() != nil }
}

private final class WeakToken: Sendable {
  // Safety: written once, before it is shared; a weak reference is read atomically.
  nonisolated(unsafe) private(set) weak var token: Token?

  init(_ token: Token) { self.token = token }
}
