import Foundation

enum Session {
  @TaskLocal static var language = "en"
}

actor ConsulateClient {
  private let network: ConsulateNetwork
  private let formatter: StampFormatter
  private var token: String?
  private var renewal: Task<String, any Error>?

  init(network: ConsulateNetwork, formatter: StampFormatter) {
    self.network = network
    self.formatter = formatter
  }

  func stamps() async throws -> String {
    let count = try await network.stampCount(token: validToken())
    return await formatter.text(for: count)
  }

  func expireToken() {
    token = nil
  }

  private func validToken() async throws -> String {
    if let token { return token }
    if let renewal { return try await renewal.value }
    // The renewal is of nobody's language, and goes on if the first request is cancelled.
    let task = Task.detached { [network] in try await network.renewToken() }
    renewal = task
    defer { renewal = nil }
    let fresh = try await task.value
    token = fresh
    return fresh
  }
}
