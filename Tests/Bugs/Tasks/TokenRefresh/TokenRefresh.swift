// Symptom: After logging out during a refresh, some requests hang until the app is killed.
// Looks at: one of the requests ("request 3")

import Foundation

actor TokenStore {
  private var token: String?
  private var waiting: [CheckedContinuation<String?, Never>] = []
  private var isRefreshing = false

  func currentToken() async -> String? {
    if let token { return token }
    if !isRefreshing {
      isRefreshing = true
      Task(name: "refresh") { await refresh() }
    }
    return await withCheckedContinuation { waiting.append($0) }  // culprit
  }

  private func refresh() async {
    try? await Task.sleep(for: .milliseconds(40))
    isRefreshing = false
    token = "fresh"
    for continuation in waiting { continuation.resume(returning: token) }
    waiting = []
  }

  func logOut() {
    token = nil
    waiting.removeAll()
  }
}

struct Client {
  let store = TokenStore()

  func get(_ path: String) async -> String {
    guard let token = await store.currentToken() else { return "401 \(path)" }
    try? await Task.sleep(for: .milliseconds(5))
    return "200 \(path) with \(token)"
  }
}

let client = Client()
let requests = (1...4).map { number in
  Task(name: "request \(number)") { await client.get("/feed/\(number)") }
}
try await Task.sleep(for: .milliseconds(15))
await client.store.logOut()
for request in requests { print(await request.value) }
