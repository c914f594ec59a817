// Symptom: none. Pictures come in any order, and each goes to its own place in the grid.
// Looks at: the pictures as they arrive ("pictures")

import Foundation
import Varve

struct Picture: Sendable {
  let index: Int
  let pixels: Int
}

protocol PictureLoading: Sendable {
  func picture(_ index: Int) -> SignalProducer<Picture, Never>
}

struct PictureServer: PictureLoading {
  private let network = QueueScheduler(name: "network")

  func picture(_ index: Int) -> SignalProducer<Picture, Never> {
    SignalProducer(value: Picture(index: index, pixels: 64 * (index + 1)))
      .delay(.milliseconds(30 + index * 37 % 60), on: network)
  }
}

final class PictureGrid: @unchecked Sendable {
  nonisolated(unsafe) static var alive = 0

  private let loader: any PictureLoading
  private let ui: QueueScheduler
  private var places: [Int: Picture] = [:]

  init(loader: any PictureLoading, on ui: QueueScheduler) {
    self.loader = loader
    self.ui = ui
    Self.alive += 1
  }

  /// The work keeps the grid until the last picture is there.
  func load(_ indices: Range<Int>) {
    SignalProducer<Int, Never>(indices)
      .flatMap(.merge) { [loader] in loader.picture($0) }
      .named("pictures")
      .observe(on: ui)
      .on(completed: { self.report() })
      .startWithValues { self.places[$0.index] = $0 }
  }

  private func report() {
    let sizes = places.keys.sorted().compactMap { places[$0]?.pixels }
    print("\(places.count) pictures, in order: \(sizes == sizes.sorted())")
  }

  deinit { Self.alive -= 1 }
}

let ui = QueueScheduler(name: "ui")
for _ in 1...3 {
  PictureGrid(loader: PictureServer(), on: ui).load(0..<12)
  Thread.sleep(forTimeInterval: 0.2)
}
print("grids alive: \(PictureGrid.alive)")
