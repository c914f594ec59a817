// Symptom: None; this works.
// Looks at: the requests ("request")

import Foundation

struct LoggedOut: Error {}

actor TokenStore {
  private var token: String?
  private var waiting: [CheckedContinuation<String, any Error>] = []
  private var isRefreshing = false

  func currentToken() async throws -> String {
    if let token { return token }
    if !isRefreshing {
      isRefreshing = true
      Task(name: "refresh") { await refresh() }
    }
    return try await withCheckedThrowingContinuation { waiting.append($0) }
  }

  private func refresh() async {
    try? await Task.sleep(for: .milliseconds(30))
    isRefreshing = false
    guard !waiting.isEmpty else { return }
    token = "fresh"
    for continuation in waiting { continuation.resume(returning: "fresh") }
    waiting = []
  }

  func logOut() {
    token = nil
    for continuation in waiting { continuation.resume(throwing: LoggedOut()) }
    waiting = []
  }
}

let store = TokenStore()
func round(_ logsOut: Bool) async {
  let requests = (1...5).map { _ in
    Task(name: "request") { try await store.currentToken() }
  }
  try? await Task.sleep(for: .milliseconds(10))
  if logsOut { await store.logOut() }
  for request in requests { print((try? await request.value) ?? "logged out") }
}
await round(true)
await round(false)
