// Symptom: I choose another hut, and the pictures that come are those of the first one.
// Looks at: pictures (what the webcam shows)
import Foundation
import Varve

struct Picture: Equatable, Sendable {
  let hut: String
  let number: Int
}

final class Webcams: Sendable {
  private let network = QueueScheduler(name: "network")

  /// Each camera has two mirrors, of different speeds.
  func pictures(of hut: String, mirror: Int) -> SignalProducer<Picture, Never> {
    SignalProducer.interval(1...8, interval: .milliseconds(20 + 8 * mirror), on: network)
      .map { Picture(hut: hut, number: $0) }
  }
}

final class WebcamModel: Sendable {
  let hut = MutableProperty("Concordia")
  let picture = MutableProperty<Picture?>(nil)

  init(_ webcams: Webcams) {
    picture
      <~ hut.producer
      .skipRepeats()
      .flatMap(.race) { hut in  // culprit
        SignalProducer([0, 1])
          .flatMap(.race) { webcams.pictures(of: hut, mirror: $0) }
      }
      .map(Optional.some)
      .named("pictures")
  }
}

let model = WebcamModel(Webcams())
model.picture.signal.skipNil().observeValues { print("\($0.hut) \($0.number)") }
Thread.sleep(forTimeInterval: 0.07)
print("chosen: Monte Rosa")
model.hut.value = "Monte Rosa"
Thread.sleep(forTimeInterval: 0.15)
print("chosen: Gleckstein")
model.hut.value = "Gleckstein"
Thread.sleep(forTimeInterval: 0.15)
print("chosen \(model.hut.value), shown \(model.picture.value?.hut ?? "-")")
