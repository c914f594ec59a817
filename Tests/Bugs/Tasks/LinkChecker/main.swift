// Symptom: `linkcheck` stops in the middle of a site with many dead links and never ends. For a
// site with one or two it works.
// Looks at: one of the links that are never checked ("check shop.example/11")

import Foundation

struct DeadLink: Error {
  let link: String
}

/// Lets so many in at once, and the others wait.
actor Gate {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(width: Int) { free = width }

  func pass<Result: Sendable>(
    _ work: @Sendable () async throws -> Result
  ) async throws -> Result {
    await enter()
    let result = try await work()  // culprit
    leave()
    return result
  }

  private func enter() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  private func leave() {
    if waiting.isEmpty {
      free += 1
    } else {
      waiting.removeFirst().resume()
    }
  }
}

struct Site: Sendable {
  let host: String
  let dead: Set<Int>

  func status(of page: Int) async throws -> Int {
    try await Task.sleep(for: .milliseconds(15))
    if dead.contains(page) { throw DeadLink(link: "\(host)/\(page)") }
    return 200
  }
}

func check(_ site: Site) async -> Int {
  let gate = Gate(width: 3)
  return await withTaskGroup(of: Bool.self) { group in
    for page in 1...12 {
      group.addTask(name: "check \(site.host)/\(page)") {
        do {
          return try await gate.pass { try await site.status(of: page) } == 200
        } catch {
          print("dead: \(site.host)/\(page)")
          return false
        }
      }
    }
    return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
  }
}

setvbuf(stdout, nil, _IOLBF, 0)
print("good links: \(await check(Site(host: "blog.example", dead: [4])))")
print("good links: \(await check(Site(host: "shop.example", dead: [2, 3, 5, 8])))")
