// Symptom: On the game night all tables open the rules of the same game, and the café's thin line
// is busy for minutes: the publisher's server sees a download from us for each table.
// Looks at: the downloads ("rules")

import Foundation

/// The publisher's server at the other end of a thin line.
actor Publisher {
  private(set) var downloads: [String: Int] = [:]

  func download(_ game: String) async throws -> String {
    downloads[game, default: 0] += 1
    try await Task.sleep(for: .milliseconds(80))
    return "Rules of \(game): " + String(repeating: "roll, move, trade. ", count: 200)
  }
}

/// Each game's rules are downloaded once, then kept.
actor RuleShelf {
  private let publisher: Publisher
  private var rules: [String: String] = [:]

  init(publisher: Publisher) { self.publisher = publisher }

  func rules(of game: String) async throws -> String {
    if let kept = rules[game] { return kept }
    let text = try await publisher.download(game)  // culprit
    rules[game] = text
    return text
  }
}

let publisher = Publisher()
let shelf = RuleShelf(publisher: publisher)

let tables = ["Catan", "Catan", "Azul", "Catan", "Catan"]
let pages = try await withThrowingTaskGroup(of: Int.self) { group in
  for (number, game) in tables.enumerated() {
    group.addTask {
      // Guests sit down one after the other.
      try await Task.sleep(for: .milliseconds(10 * number))
      return try await shelf.rules(of: game).count / 1_000 + 1
    }
  }
  return try await group.reduce(0, +)
}
print("the tables read \(pages) pages")

// Later in the evening: these come from the shelf.
for game in ["Azul", "Catan"] { _ = try await shelf.rules(of: game) }
for (game, count) in await publisher.downloads.sorted(by: <) {
  print("\(game) was downloaded \(count) times")
}
