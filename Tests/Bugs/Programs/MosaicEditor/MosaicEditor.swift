// Symptom: I laid the last stone, all was saved, and on the web page my mosaic lacks it. It had been
// saved, but then an older state came over it.
// Looks at: saved (the state that the server has)
import Foundation
import Varve

struct Mosaic: Equatable, Sendable {
  var stones: [Int]
  var revision: Int
}

final class Gallery: Sendable {
  private let workers = QueueScheduler(name: "gallery")

  /// A mosaic with new colours is rendered before it is stored.
  func store(_ mosaic: Mosaic) -> SignalProducer<Mosaic, Never> {
    let isRendered = mosaic.revision % 4 != 0
    return SignalProducer(value: mosaic)
      .delay(.milliseconds(isRendered ? 70 : 15), on: workers)
  }
}

final class MosaicModel: Sendable {
  let mosaic = MutableProperty(Mosaic(stones: [], revision: 0))
  let saved = MutableProperty<Mosaic?>(nil)

  init(_ gallery: Gallery) {
    saved
      <~ mosaic.signal
      .skipRepeats()
      // Two at a time, so that the gallery keeps up.
      .flatMap(.concurrent(limit: 2)) { gallery.store($0) }  // culprit
      .map(Optional.some)
      .named("saved")
  }

  func lay(_ stone: Int) {
    mosaic.modify {
      $0.stones.append(stone)
      $0.revision += 1
    }
  }
}

let model = MosaicModel(Gallery())
model.saved.signal.skipNil().observeValues { print("server has revision \($0.revision)") }
for stone in 1...4 {
  model.lay(stone * 11)
  Thread.sleep(forTimeInterval: stone == 2 ? 0.09 : 0.02)
}
Thread.sleep(forTimeInterval: 0.3)
print("mine \(model.mosaic.value.revision), the server's \(model.saved.value?.revision ?? 0)")
