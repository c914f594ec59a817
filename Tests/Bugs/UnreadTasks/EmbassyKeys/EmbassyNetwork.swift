import Foundation

enum NetworkError: Error {
  case forbidden
  case notFound
}

struct EmbassyNetwork: Sendable {
  func get(_ path: String, authorization: String?) async throws -> String {
    try await Task.sleep(for: .milliseconds(30))
    guard authorization != nil else { throw NetworkError.forbidden }
    switch path {
    case "/visas": return "Peru;Mongolia;Bhutan"
    case "/token/renew": return "renewed-\(Int.random(in: 1_000...9_999))"
    default: throw NetworkError.notFound
    }
  }
}
