// Symptom: None. Faces that could not be loaded without network are there when the page is opened
// the next time, each in its row, and each is loaded once.
// Looks at: the page ("reviews")

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
    try await Task.sleep(for: .milliseconds(user.count * 6))
    guard isReachable else { throw NetworkError.offline }
    return "<\(user).jpg>"
  }
}

actor AvatarCache {
  private let server: PictureServer
  private var loads: [String: Task<String, any Error>] = [:]

  init(server: PictureServer) { self.server = server }

  func picture(of user: String) async throws -> String {
    if let load = loads[user] { return try await load.value }
    let load = Task {
      do {
        return try await server.picture(of: user)
      } catch {
        loads[user] = nil
        throw error
      }
    }
    loads[user] = load
    return try await load.value
  }
}

struct ReviewPage: Sendable {
  let cache: AvatarCache

  func faces(of reviewers: [String]) async -> [String] {
    await withTaskGroup(of: (Int, String).self) { group in
      for (row, user) in reviewers.enumerated() {
        group.addTask {
          do {
            return (row, try await cache.picture(of: user))
          } catch {
            return (row, "(grey, \(error))")
          }
        }
      }
      var faces = Array(repeating: "", count: reviewers.count)
      for await (row, face) in group { faces[row] = face }
      return faces
    }
  }
}

let server = PictureServer()
let page = ReviewPage(cache: AvatarCache(server: server))
for (reviewers, reachable) in [
  (["sebastian", "ada", "ada"], true), (["sebastian", "kim"], false), (["kim", "leonora"], true),
] {
  await server.setReachable(reachable)
  let reviews = Task(name: "reviews") { await page.faces(of: reviewers) }
  print(await reviews.value.joined(separator: "  "))
}
print("\(await server.requests) requests")
