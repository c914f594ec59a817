import Foundation

struct Token: Sendable {
  var text: String
  var expires: ContinuousClock.Instant

  init(text: String, lifetime: Duration) {
    self.text = text
    expires = .now + lifetime
  }

  var isValid: Bool { expires > .now }
}

actor ApiClient {
  private let network: EmbassyNetwork
  private var token: Token?
  private var renewal: Task<Token, any Error>?

  init(network: EmbassyNetwork) {
    self.network = network
  }

  func logIn(with token: Token) {
    self.token = token
  }

  func send(_ path: String) async throws -> String {
    let token = try await validToken()
    return try await network.get(path, authorization: token.text)
  }

  /// However many requests need a token, it is renewed only once.
  private func validToken() async throws -> Token {
    if let token, token.isValid { return token }
    if let renewal { return try await renewal.value }
    let task = Task { try await renewToken() }
    renewal = task
    defer { renewal = nil }
    let fresh = try await task.value
    token = fresh
    return fresh
  }

  private func renewToken() async throws -> Token {
    let text = try await send("/token/renew")  // culprit
    return Token(text: text, lifetime: .seconds(60))
  }
}
