// Symptom: All studios of the town are listed, but the wheel below the list turns for ever.
// Looks at: the list ("studio list")

import Foundation

struct Studio: Sendable {
  let name: String
  let metres: Int
}

struct Directory: Sendable {
  private let towns = ["Ghent": ["Ashtanga Loft", "Pilates Nord", "Boxing Cellar", "Spin Works"]]

  func page(_ number: Int, of town: String) async -> [Studio] {
    try? await Task.sleep(for: .milliseconds(8))
    let names = (towns[town] ?? []).dropFirst(number * 2).prefix(2)
    return names.map { Studio(name: $0, metres: $0.count * 90) }
  }
}

struct StudioFinder: Sendable {
  let directory = Directory()

  /// The studios of a town, as the pages of the directory come in.
  func studios(in town: String) -> AsyncStream<Studio> {
    AsyncStream { found in
      Task(name: "pages") {
        var number = 0
        while true {
          let page = await directory.page(number, of: town)
          if page.isEmpty { return }  // culprit
          page.forEach { found.yield($0) }
          number += 1
        }
      }
    }
  }
}

@MainActor
final class StudioList {
  private(set) var rows: [String] = []
  private(set) var isLoading = false
  private let finder = StudioFinder()

  func show(_ town: String) async {
    isLoading = true
    for await studio in finder.studios(in: town) {
      rows.append("\(studio.name), \(studio.metres) m")
      print(rows.last ?? "")
    }
    isLoading = false
    print("\(rows.count) studios")
  }
}

@MainActor func run() async {
  let list = StudioList()
  let screen = Task(name: "studio list") { await list.show("Ghent") }
  await screen.value
}
await run()
