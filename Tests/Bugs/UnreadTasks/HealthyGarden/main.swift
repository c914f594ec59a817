// Symptom: None; the bed is watched while its page is open, and the pump is asked only once at a time.
// Looks at: what watches a bed ("bed")

import Foundation

actor Garden {
  private(set) var readings = 0
  private(set) var pumpStarts = 0
  private var starting: Task<Int, Never>?

  func moisture(of bed: Int) async throws -> Int {
    try await Task.sleep(for: .milliseconds(3))
    readings += 1
    return 30 + bed * 4 + readings % 5
  }

  /// Starts the pump, or waits for the one who already does.
  func pressure() async -> Int {
    if let starting { return await starting.value }
    let task = Task(name: "pump") {
      pumpStarts += 1
      try? await Task.sleep(for: .milliseconds(30))
      return 3
    }
    starting = task
    return await task.value
  }
}

@MainActor
final class BedPage {
  private(set) var text = ""
  private let bed: Int
  private let garden: Garden
  private var watching: Task<Void, any Error>?

  init(bed: Int, garden: Garden) {
    self.bed = bed
    self.garden = garden
  }

  func open() {
    watching = Task(name: "bed") { [weak self, garden, bed] in
      let bar = await garden.pressure()
      while true {
        let moisture = try await garden.moisture(of: bed)
        self?.text = "bed \(bed): \(moisture) %, \(bar) bar"
        try await Task.sleep(for: .milliseconds(12))
      }
    }
  }

  func close() async {
    watching?.cancel()
    _ = await watching?.result
    watching = nil
  }
}

let garden = Garden()
for beds in [[1, 2], [3], [1, 2, 3]] {
  let pages = beds.map { BedPage(bed: $0, garden: garden) }
  pages.forEach { $0.open() }
  try await Task.sleep(for: .milliseconds(120))
  for page in pages {
    print(page.text)
    await page.close()
  }
  let before = await garden.readings
  try await Task.sleep(for: .milliseconds(50))
  print("after closing: \(await garden.readings - before) readings")
}
print("the pump was started \(await garden.pumpStarts) time")
