// Symptom: While my shop's app makes the sheet with the barcodes, the animation at the top freezes, and
// the button Cancel cannot be pressed.
// Looks at: the animation ("animation")

import Foundation

struct Barcode: Sendable {
  let article: Int
  let pixels: [UInt8]
}

enum Printer {
  /// Draws a barcode at the printer's resolution.
  static func draw(_ article: Int) -> Barcode {
    var pixels = [UInt8](repeating: 0, count: 40_000)
    let end = Date() + 0.06
    var state = UInt32(article)
    while Date() < end {
      for index in pixels.indices {
        state = state &* 1_664_525 &+ 1_013_904_223
        pixels[index] = UInt8(truncatingIfNeeded: state >> 24)
      }
    }
    return Barcode(article: article, pixels: pixels)
  }
}

@MainActor
final class SheetModel {
  private(set) var barcodes: [Barcode] = []
  private(set) var isReady = false

  func makeSheet(of articles: [Int]) async {
    for article in articles {
      barcodes.append(Printer.draw(article))  // culprit
    }
    isReady = true
  }
}

@MainActor
final class Animation {
  private(set) var frames = 0
  private(set) var longestPause = 0
  private var last = Date()

  func run() async throws {
    while true {
      try await Task.sleep(for: .milliseconds(10))
      frames += 1
      longestPause = max(longestPause, Int(Date().timeIntervalSince(last) * 1_000))
      last = Date()
    }
  }
}

let animation = Animation()
let model = SheetModel()
let animating = Task(name: "animation") { try await animation.run() }
try await Task.sleep(for: .milliseconds(200))
print("before: \(animation.frames) frames, longest pause \(animation.longestPause) ms")
let sheet = Task(name: "sheet") { await model.makeSheet(of: Array(4_001...4_016)) }
await sheet.value
try await Task.sleep(for: .milliseconds(30))
print("\(model.barcodes.count) barcodes")
print("after: \(animation.frames) frames, longest pause \(animation.longestPause) ms")
animating.cancel()
