// Symptom: It takes most of a second until the slide is complete: its tiles appear one by one,
// though the microscope could send many of them at the same time.
// Looks at: the tiles of the slide ("tiles")

import Foundation
import Varve

struct Tile: Sendable {
  var row: Int
  var column: Int
}

final class Microscope: Sendable {
  /// Sends the pixels of a tile some time after it was asked.
  func pixels(of tile: Tile) -> SignalProducer<[UInt8], Never> {
    SignalProducer { observer, _ in
      DispatchQueue.global().asyncAfter(deadline: .now() + 0.04) {
        observer.send(value: [UInt8](repeating: UInt8(tile.row * 4 + tile.column), count: 64))
        observer.sendCompleted()
      }
    }
    .named("pixels")
  }
}

final class SlideView: Sendable {
  let done = DispatchSemaphore(value: 0)
  private let microscope: Microscope
  private let shown = MutableProperty(0)

  init(_ microscope: Microscope) { self.microscope = microscope }

  func open(rows: Int, columns: Int) {
    let wanted = (0..<rows).flatMap { row in
      (0..<columns).map { Tile(row: row, column: $0) }
    }
    SignalProducer(wanted)
      .flatMap(.concurrent(limit: 1)) { [microscope] in microscope.pixels(of: $0) }  // culprit
      .named("tiles")
      .on(completed: { [done] in done.signal() })
      .startWithValues { [shown] _ in shown.modify { $0 += 1 } }
  }

  var summary: String { "\(shown.value) tiles" }
}

let view = SlideView(Microscope())
let start = Date()
view.open(rows: 4, columns: 4)
view.done.wait()
print(view.summary, "after", Int(Date().timeIntervalSince(start) * 1000), "ms")
