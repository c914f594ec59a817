// Symptom: None; this works.
// Looks at: the searches ("search")

import Foundation

func pages(of query: String) async throws -> [String] {
  var found: [String] = []
  for number in 0..<30 {
    try await Task.sleep(for: .milliseconds(4))
    found.append("\(query) \(number)")
  }
  return found
}

@MainActor
final class SearchModel {
  private(set) var shown: [String] = []
  private var running: Task<Void, Never>?

  func type(_ query: String) {
    running?.cancel()
    running = Task(name: "search") {
      do {
        let found = try await pages(of: query)
        shown = found
      } catch {}
    }
  }

  func settle() async { await running?.value }
}

let model = SearchModel()
for query in ["r", "ri", "riv", "river"] {
  model.type(query)
  try await Task.sleep(for: .milliseconds(25))
}
await model.settle()
print("\(model.shown.count) results")
