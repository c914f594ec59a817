// Symptom: None; this works.
// Looks at: the searches ("search")

import Foundation

struct AddressBook: Sendable {
  let streets = ["Hafenstraße", "Hafenweg", "Hagenallee", "Harzring", "Heideweg", "Holzmarkt"]

  /// Slow, but it stops when it is cancelled.
  func find(_ prefix: String) async throws -> [String] {
    var found: [String] = []
    for street in streets {
      try Task.checkCancellation()
      try await Task.sleep(for: .milliseconds(4))
      if street.hasPrefix(prefix) { found.append(street) }
    }
    return found
  }
}

@MainActor
final class SearchField {
  private let book = AddressBook()
  private var search: Task<Void, Never>?
  private(set) var results: [String] = []
  private(set) var cancelled = 0

  func type(_ text: String) {
    search?.cancel()
    search = Task(name: "search \(text)") {
      do {
        try await Task.sleep(for: .milliseconds(15))
        let found = try await book.find(text)
        // What was typed since then is newer.
        guard !Task.isCancelled else { return }
        results = found
      } catch is CancellationError {
        cancelled += 1
      } catch {
        print("the search failed: \(error)")
      }
    }
  }

  func finish() async { await search?.value }
}

let field = SearchField()
for word in ["Ha", "Haf", "Hag", "Hage", "H", "Ho"] {
  for end in word.indices {
    field.type(String(word[...end]))
    try await Task.sleep(for: .milliseconds(8))
  }
  try await Task.sleep(for: .milliseconds(30))
}
await field.finish()
print("\(field.results), \(field.cancelled) searches were given up")
