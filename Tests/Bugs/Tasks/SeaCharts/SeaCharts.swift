// Symptom: The second chart stops in the middle of its download, although it has time enough. Alone,
// it loads.
// Looks at: the download ("chart Skagerrak")

import Foundation

struct ChartServer: Sendable {
  func load(_ chart: String, progress: @Sendable (Int) -> Void) async throws -> Int {
    let tiles = chart.count
    for tile in 1...tiles {
      try await Task.sleep(for: .milliseconds(12))
      progress(100 * tile / tiles)
    }
    return tiles
  }
}

@MainActor
final class ChartShelf {
  private(set) var charts: [String: Int] = [:]
  private var download: Task<Int, Error>?
  private let server = ChartServer()

  func fetch(_ chart: String) async {
    let server = server
    let work = Task(name: "chart \(chart)") {
      try await server.load(chart) { if $0 > 90 { print("\(chart): almost there") } }
    }
    download = work
    Task(name: "time limit") {
      try? await Task.sleep(for: .milliseconds(150))
      download?.cancel()  // culprit
    }
    do {
      charts[chart] = try await work.value
    } catch {
      print("\(chart): took too long")
    }
    download = nil
  }
}

@MainActor func run() async {
  let shelf = ChartShelf()
  for chart in ["Kattegat", "Skagerrak"] {
    await shelf.fetch(chart)
  }
  print(shelf.charts.map { "\($0.key): \($0.value) tiles" }.joined(separator: "; "))
}
await run()
