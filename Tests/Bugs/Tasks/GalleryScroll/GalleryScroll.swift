// Symptom: Scrolling through the gallery stutters, though thumbnails are made in the background.
// Looks at: the scrolling ("scroll")

import Foundation

struct Thumbnail: Sendable {
  var name: String
  var pixels: [UInt8]
}

func decode(_ name: String) -> Thumbnail {
  var pixels = [UInt8](repeating: 0, count: 1_000)
  let end = Date().addingTimeInterval(0.06)
  var seed = UInt64(name.count)
  while Date() < end {
    seed = seed &* 6_364_136_223_846_793_005 &+ 1
    pixels[Int(seed >> 54) % 1_000] = UInt8(truncatingIfNeeded: seed >> 40)
  }
  return Thumbnail(name: name, pixels: pixels)
}

@MainActor
final class Gallery {
  var shown: [Thumbnail] = []
  var offset = 0

  func scroll() {
    offset += 1
  }

  func load(_ name: String) async {
    try? await Task.sleep(for: .milliseconds(3))
    shown.append(decode(name))  // culprit
  }
}

let gallery = Gallery()
let loads = (1...10).map { number in
  Task(name: "thumbnail \(number)") { await gallery.load("picture \(number)") }
}
let scroll = Task(name: "scroll") {
  for _ in 0..<40 {
    gallery.scroll()
    try? await Task.sleep(for: .milliseconds(4))
  }
}
await scroll.value
for load in loads { await load.value }
print("scrolled \(gallery.offset) times, \(gallery.shown.count) thumbnails")
