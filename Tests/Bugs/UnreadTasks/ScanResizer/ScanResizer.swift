// Symptom: With more than a few scans the resizing never ends, and the whole app stands still.
// Looks at: the scans ("resize")

import Foundation

/// Lets only so many be at work at a time, since each scan takes a lot of memory.
final class WorkLimit: Sendable {
  private let places: DispatchSemaphore

  init(_ count: Int) {
    places = DispatchSemaphore(value: count)
  }

  func enter() {
    places.wait()  // culprit
  }

  func leave() {
    places.signal()
  }
}

struct Scan: Sendable {
  let page: Int
  let megapixels: Int
}

struct Resizer: Sendable {
  let limit = WorkLimit(2)

  func resize(_ scan: Scan) async -> Int {
    limit.enter()
    defer { limit.leave() }
    let pixels = await decode(scan)
    return pixels / 4
  }

  private func decode(_ scan: Scan) async -> Int {
    try? await Task.sleep(for: .milliseconds(20))
    return scan.megapixels * 1_000_000
  }
}

let resizer = Resizer()
let scans = (1...12).map { Scan(page: $0, megapixels: 8 + $0 % 4) }
let resized = await withTaskGroup(of: (Int, Int).self) { group in
  for scan in scans {
    group.addTask(name: "resize") { (scan.page, await resizer.resize(scan)) }
  }
  var sizes: [Int: Int] = [:]
  for await (page, size) in group {
    sizes[page] = size
    print("page \(page): \(size) pixels")
  }
  return sizes
}
print("\(resized.count) scans are ready")
