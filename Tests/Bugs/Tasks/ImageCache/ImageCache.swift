// Symptom: Opening a page whose two pictures refer to each other shows an empty page for ever.
// Looks at: the page's task ("page")

import Foundation

/// Loads each picture once; a picture may need others to be drawn.
actor ImageCache {
  private var loads: [String: Task<Int, Never>] = [:]
  private let parts = ["map": ["legend", "roads"], "legend": ["symbols"], "symbols": ["map"]]

  func image(_ name: String) async -> Int {
    if let load = loads[name] {
      return await load.value  // culprit
    }
    let load = Task(name: "load \(name)") { await render(name) }
    loads[name] = load
    return await load.value
  }

  private func render(_ name: String) async -> Int {
    try? await Task.sleep(for: .milliseconds(10))
    var size = name.count * 100
    for part in parts[name] ?? [] {
      size += await image(part)
    }
    return size
  }
}

let cache = ImageCache()
let page = Task(name: "page") {
  let logo = await cache.image("logo")
  let map = await cache.image("map")
  return logo + map
}
print("page of \(await page.value) pixels")
