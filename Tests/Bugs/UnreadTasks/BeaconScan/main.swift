// Symptom: "Find my keys" says "nothing is near you" at once, though the tag lies beside the
// phone. The log of the radio does list it.
// Looks at: the search ("search")

import Foundation

struct Tag: Sendable {
  let name: String
  let metres: Double
}

actor Radio {
  private let around = [
    Tag(name: "bicycle", metres: 9.5), Tag(name: "keys", metres: 0.4),
    Tag(name: "neighbour's cat", metres: 14),
  ]
  private(set) var log: [String] = []

  /// Listens for a while, and reports each tag when it is heard.
  func listen(_ heard: @Sendable (Tag) -> Void) async throws {
    for tag in around {
      try await Task.sleep(for: .milliseconds(40))
      log.append(tag.name)
      heard(tag)
    }
  }
}

struct Finder: Sendable {
  let radio: Radio

  func tags() -> AsyncStream<Tag> {
    AsyncStream { continuation in
      defer { continuation.finish() }  // culprit
      let listening = Task(name: "radio") {
        try await radio.listen { continuation.yield($0) }
      }
      continuation.onTermination = { reason in
        if case .cancelled = reason { listening.cancel() }
      }
    }
  }
}

@MainActor
final class FinderPage {
  private let finder: Finder
  private(set) var rows: [String] = []
  private(set) var footer = ""

  init(finder: Finder) { self.finder = finder }

  func search() async {
    rows = []
    footer = "searching …"
    for await tag in finder.tags() {
      rows.append("\(tag.name), \(tag.metres) m")
    }
    footer = rows.isEmpty ? "nothing is near you" : "\(rows.count) tags"
  }
}

let radio = Radio()
let page = FinderPage(finder: Finder(radio: radio))
let search = Task(name: "search") { await page.search() }
await search.value
print(page.rows, page.footer)
try await Task.sleep(for: .milliseconds(250))
print("log of the radio: \(await radio.log)")
