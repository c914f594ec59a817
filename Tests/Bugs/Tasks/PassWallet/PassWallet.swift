// Symptom: After an hour the wallet shows no more passes. It loads and loads, until I sign in
// again.
// Looks at: the passes ("passes")

import Foundation

actor Tokens {
  private var token = (text: "first", expires: Date())
  private var refreshing: Task<String, Never>?

  func current(from api: PassAPI) async -> String {
    if let refreshing { return await refreshing.value }
    guard token.expires < Date() else { return token.text }
    let task = Task(name: "refresh") { await refresh(api) }
    refreshing = task
    let text = await task.value
    refreshing = nil
    return text
  }

  private func refresh(_ api: PassAPI) async -> String {
    let answer = await api.send("POST /token")  // culprit
    token = (answer, Date().addingTimeInterval(3_600))
    return answer
  }
}

struct PassAPI: Sendable {
  let tokens = Tokens()

  /// Every request carries the token.
  func send(_ request: String) async -> String {
    let token = await tokens.current(from: self)
    return await transmit(request, headers: ["Authorization": token])
  }

  private func transmit(_ request: String, headers: [String: String]) async -> String {
    try? await Task.sleep(for: .milliseconds(10))
    return request.hasPrefix("POST") ? "second" : "2 passes with \(headers["Authorization"] ?? "-")"
  }
}

@MainActor
final class WalletScreen {
  private let api = PassAPI()
  private(set) var text = "loading…"

  func appear() -> Task<Void, Never> {
    Task(name: "passes") {
      text = await api.send("GET /passes")
    }
  }
}

let screen = WalletScreen()
let loading = screen.appear()
try await Task.sleep(for: .milliseconds(100))
print(screen.text)
await loading.value
print(screen.text)
