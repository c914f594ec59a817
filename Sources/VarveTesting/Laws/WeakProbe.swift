/// Something that closures capture, to see whether they are let go.
package final class Token: Sendable {
  package init() {}
}

/// Tells whether a token is still held: nobody but the thing under test should hold it.
package struct WeakProbe: Sendable {
  private let token: @Sendable () -> Token?

  package init(_ token: Token) {
    let reference = WeakToken(token)
    self.token = { reference.token }
  }

  /// Whether somebody holds the token.
  package var isHeld: Bool { token() != nil }
}

private final class WeakToken: Sendable {
  // Safety: written once, before anybody else sees it; a weak reference is read atomically.
  nonisolated(unsafe) private(set) weak var token: Token?

  init(_ token: Token) { self.token = token }
}
