// Symptom: None; this works.
// Looks at: the scrolling ("scroll")

import Foundation

func decode(_ name: String) async -> [UInt8] {
  let end = Date().addingTimeInterval(0.02)
  var pixels = [UInt8](repeating: 0, count: 500)
  var seed = UInt64(name.count)
  while Date() < end {
    seed = seed &* 6_364_136_223_846_793_005 &+ 1
    pixels[Int(seed >> 54) % 500] = UInt8(truncatingIfNeeded: seed >> 40)
  }
  return pixels
}

@MainActor
final class Gallery {
  private(set) var shown = 0
  private(set) var offset = 0

  func scroll() { offset += 1 }

  func load(_ name: String) async {
    let pixels = await decode(name)
    shown += pixels.isEmpty ? 0 : 1
  }
}

let gallery = Gallery()
let loads = (1...8).map { number in
  Task(name: "thumbnail") { await gallery.load("picture \(number)") }
}
let scroll = Task(name: "scroll") {
  for _ in 0..<30 {
    gallery.scroll()
    try? await Task.sleep(for: .milliseconds(6))
  }
}
await scroll.value
for load in loads { await load.value }
print("\(gallery.shown) thumbnails, scrolled \(gallery.offset) times")
