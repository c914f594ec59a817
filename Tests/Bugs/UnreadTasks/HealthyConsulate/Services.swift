import Foundation

enum ConsulateError: Error {
  case loggedOut
}

actor ConsulateNetwork {
  private(set) var renewals = 0

  func renewToken() async throws -> String {
    renewals += 1
    let number = renewals
    try await Task.sleep(for: .milliseconds(50))
    return "token \(number)"
  }

  func stampCount(token: String) async throws -> Int {
    try await Task.sleep(for: .milliseconds(30))
    guard token.hasPrefix("token") else { throw ConsulateError.loggedOut }
    return 12
  }
}

final class StampFormatter: Sendable {
  private let queue = DispatchQueue(label: "formatter")
  private let words = ["de": "Stempel", "fr": "tampons", "it": "timbri", "en": "stamps"]

  func text(for count: Int) async -> String {
    let language = Session.language
    return await withCheckedContinuation { done in
      queue.async {
        done.resume(returning: "\(count) \(self.words[language] ?? "stamps")")
      }
    }
  }
}
