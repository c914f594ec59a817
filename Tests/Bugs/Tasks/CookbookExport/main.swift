// Symptom: When I cancel the export of my cookbook, the sheet stays until all pages are done
// all the same, and the fan runs.
// Looks at: the export ("export")

import Foundation

actor Press {
  private(set) var pages = 0

  func render(_ page: Int) async -> Int {
    try? await Task.sleep(for: .milliseconds(20))
    pages += 1
    return 40_000 + page * 13
  }
}

struct Exporter: Sendable {
  let press = Press()

  /// Ends with an error if it is cancelled, within a page.
  func export(pages: Int) async throws -> Int {
    // A cookbook is large: it should not take the time of the user's taps.
    let rendering = Task.detached(name: "render", priority: .utility) {  // culprit
      var bytes = 0
      for page in 1...pages {
        try Task.checkCancellation()
        bytes += await press.render(page)
      }
      return bytes
    }
    return try await rendering.value
  }
}

@MainActor
final class ExportSheet {
  let exporter = Exporter()
  private var export: Task<Int, any Error>?

  func start(pages: Int) {
    export = Task(name: "export") { try await exporter.export(pages: pages) }
  }

  func cancel() { export?.cancel() }

  func closed() async -> String {
    switch await export?.result {
    case .success(let bytes): "saved \(bytes) bytes"
    case .failure: "cancelled"
    case nil: "nothing to do"
    }
  }
}

let sheet = ExportSheet()
sheet.start(pages: 50)
try? await Task.sleep(for: .milliseconds(100))
let clock = ContinuousClock()
let tap = clock.now
sheet.cancel()
let end = await sheet.closed()
let time = (clock.now - tap).formatted(.units(allowed: [.milliseconds]))
print("\(end), \(time) after the tap on Cancel")
print("pages rendered: \(await sheet.exporter.press.pages)")
