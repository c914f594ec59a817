// Symptom: none. States are saved one after another, the server has the last one.
// Looks at: saved (the state that the server has)
import Foundation
import Varve

struct Mosaic: Equatable, Sendable {
  var stones: [Int] = []
  var colour = "blue"
}

final class Gallery: Sendable {
  private let workers = QueueScheduler(name: "gallery")

  func store(_ mosaic: Mosaic) -> SignalProducer<Mosaic, Never> {
    SignalProducer(value: mosaic)
      .delay(.milliseconds(mosaic.stones.count == 2 ? 30 : 10), on: workers)
  }
}

final class MosaicModel: Sendable {
  let mosaic = MutableProperty(Mosaic())
  let saved = MutableProperty(Mosaic())
  private let (lifetime, token) = Lifetime.make()

  init(_ gallery: Gallery) {
    saved
      <~ mosaic.signal
      .skipRepeats()
      .take(during: lifetime)
      .flatMap(.concat) { gallery.store($0) }
      .named("saved")
  }

  func lay(_ stone: Int) { mosaic.modify { $0.stones.append(stone) } }
  func paint(_ colour: String) { mosaic.modify { $0.colour = colour } }
}

let model = MosaicModel(Gallery())
model.saved.signal.observeValues { print("server has \($0.stones.count) stones, \($0.colour)") }
for stone in 1...4 {
  model.lay(stone * 11)
  Thread.sleep(forTimeInterval: 0.04)
}
model.paint("green")
Thread.sleep(forTimeInterval: 0.1)
print(model.saved.value == model.mosaic.value ? "all saved" : "not all saved")
