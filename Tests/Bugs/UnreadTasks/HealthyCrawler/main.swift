// Symptom: None; this works.
// Looks at: one of the pages ("fetch /page/11")

import Foundation

struct NotFound: Error {
  let path: String
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
    defer { leave() }
    return try await work()
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
  let missing: Set<Int>

  func words(of page: Int) async throws -> Int {
    try await Task.sleep(for: .milliseconds(15))
    if missing.contains(page) { throw NotFound(path: "/page/\(page)") }
    return 100 + page
  }
}

func crawl(_ site: Site) async -> Int {
  let gate = Gate(width: 3)
  return await withTaskGroup(of: Int.self) { group in
    for page in 1...12 {
      group.addTask(name: "fetch /page/\(page)") {
        do {
          return try await gate.pass { try await site.words(of: page) }
        } catch {
          print("missing: /page/\(page)")
          return 0
        }
      }
    }
    return await group.reduce(0, +)
  }
}

setvbuf(stdout, nil, _IOLBF, 0)
print("words: \(await crawl(Site(missing: [4])))")
print("words: \(await crawl(Site(missing: [2, 3, 5, 8])))")
