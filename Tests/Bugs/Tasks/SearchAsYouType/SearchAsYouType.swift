// Symptom: Old searches go on in the background after a new letter was typed; the fan gets loud.
// Looks at: the search for the first letters ("search la")

import Foundation

/// A database whose interface is older than tasks.
final class Database: Sendable {
  private let queue = DispatchQueue(label: "database", attributes: .concurrent)

  func page(_ number: Int, of query: String) async -> [String] {
    await withCheckedContinuation { answer in
      queue.asyncAfter(deadline: .now() + 0.006) {
        answer.resume(returning: ["\(query) \(number)"])
      }
    }
  }
}

struct Search: Sendable {
  let database = Database()

  func results(for query: String) async -> [String] {
    var found: [String] = []
    for number in 0..<90 {
      found += await database.page(number, of: query)  // culprit
      found.sort { ($0.count, $0) < ($1.count, $1) }
    }
    return found
  }
}

let search = Search()
var running: Task<[String], Never>?
for query in ["l", "la", "lak", "lake"] {
  running?.cancel()
  running = Task(name: "search \(query)") { await search.results(for: query) }
  try await Task.sleep(for: .milliseconds(60))
}
print("\(await running?.value.count ?? 0) results")
