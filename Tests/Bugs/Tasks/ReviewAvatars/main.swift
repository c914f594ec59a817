// Symptom: In the lift my phone had no network for a moment. The reviewers whose faces the page was
// just loading then stay grey, however often I open the page. After a restart of the app they
// are there.
// Looks at: a face that stays grey ("face of kim")

import Foundation

enum NetworkError: Error {
  case offline
}

actor PictureServer {
  private var isReachable = true
  private(set) var requests = 0

  func setReachable(_ reachable: Bool) { isReachable = reachable }

  func picture(of user: String) async throws -> String {
    requests += 1
    try await Task.sleep(for: .milliseconds(20))
    guard isReachable else { throw NetworkError.offline }
    return "<\(user).jpg>"
  }
}

/// A picture is loaded once, also if several rows ask for it at the same time.
actor AvatarCache {
  private let server: PictureServer
  private var loads: [String: Task<String, any Error>] = [:]

  init(server: PictureServer) { self.server = server }

  func picture(of user: String) async throws -> String {
    if let load = loads[user] { return try await load.value }
    let load = Task { try await server.picture(of: user) }
    loads[user] = load  // culprit
    return try await load.value
  }
}

@MainActor
final class ReviewPage {
  private let cache: AvatarCache
  private var faces: [String: String] = [:]

  init(cache: AvatarCache) { self.cache = cache }

  func open(reviewers: [String]) async {
    let rows = reviewers.map { user in
      Task(name: "face of \(user)") {
        do {
          faces[user] = try await cache.picture(of: user)
        } catch {
          faces[user] = "(grey, \(error))"
        }
      }
    }
    for row in rows { await row.value }
    print(reviewers.map { faces[$0] ?? "" }.joined(separator: "  "))
  }
}

let server = PictureServer()
let cache = AvatarCache(server: server)
await ReviewPage(cache: cache).open(reviewers: ["ada", "noor", "ada"])
await server.setReachable(false)
await ReviewPage(cache: cache).open(reviewers: ["ada", "kim", "ivo"])
await server.setReachable(true)
for _ in 1...3 {
  try await Task.sleep(for: .milliseconds(50))
  await ReviewPage(cache: cache).open(reviewers: ["ada", "kim", "ivo", "lea"])
}
print("\(await server.requests) requests")
