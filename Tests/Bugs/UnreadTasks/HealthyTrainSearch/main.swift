// Symptom: None; this works.
// Looks at: the searches ("search")

import Foundation

struct Connection: Sendable {
  var from: String
  var to: String
  var minutes: Int
}

struct Timetable: Sendable {
  private let stations = ["Aarau", "Baden", "Basel", "Bern", "Biel", "Brig"]

  /// Looks through the lines one by one, for as long as anybody wants to know.
  func connections(to prefix: String) async throws -> [Connection] {
    var found: [Connection] = []
    for (index, station) in stations.enumerated() {
      try await Task.sleep(for: .milliseconds(6))
      try Task.checkCancellation()
      guard station.hasPrefix(prefix) else { continue }
      found.append(Connection(from: "Zürich", to: station, minutes: 20 + index * 17))
    }
    return found
  }
}

@MainActor
final class SearchScreen {
  private let timetable = Timetable()
  private var search: Task<Void, Never>?
  private(set) var shown: [Connection] = []
  private(set) var message = ""

  func typed(_ text: String) {
    search?.cancel()
    search = Task(name: "search") {
      do {
        let found = try await timetable.connections(to: text)
        try Task.checkCancellation()
        shown = found
        message = "\(found.count) connections to \(text)…"
      } catch is CancellationError {
        // The next search is on its way.
      } catch {
        message = "No timetable: \(error)"
      }
    }
  }

  func settled() async { await search?.value }
}

let screen = SearchScreen()
for text in ["B", "Ba", "Bas"] {
  screen.typed(text)
  try? await Task.sleep(for: .milliseconds(12))
}
await screen.settled()
screen.typed("Be")
await screen.settled()
print(screen.message)
for connection in screen.shown {
  print("- \(connection.from) to \(connection.to): \(connection.minutes) minutes")
}
