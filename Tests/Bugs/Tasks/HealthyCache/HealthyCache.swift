// Symptom: None; this works.
// Looks at: the pages ("page")

import Foundation

/// Loads each picture once, however many ask for it.
actor ImageCache {
  private var loads: [String: Task<Int, Never>] = [:]
  private(set) var misses = 0

  func image(_ name: String) async -> Int {
    if let load = loads[name] { return await load.value }
    misses += 1
    let load = Task(name: "load \(name)") {
      try? await Task.sleep(for: .milliseconds(name.count * 5))
      return name.count * 100
    }
    loads[name] = load
    return await load.value
  }
}

let cache = ImageCache()
let pages = (1...6).map { number in
  Task(name: "page") {
    let logo = await cache.image("logo")
    let map = await cache.image("map \(number % 2)")
    return logo + map
  }
}
var total = 0
for page in pages { total += await page.value }
print("\(total) pixels, \(await cache.misses) loads")
