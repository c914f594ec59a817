// Symptom: The words under the picture come later and later. When the speaker has finished, they go
// on for a while.
// Looks at: caption (the words under the picture)
import Foundation
import Varve

struct Frame: Sendable {
  let number: Int
  let mouth: Double
}

final class Camera: Sendable {
  let frames: Signal<Frame, Never>
  private let sensor: Signal<Frame, Never>.Observer

  init() { (frames, sensor) = Signal.pipe() }

  func capture(_ number: Int) {
    sensor.send(value: Frame(number: number, mouth: abs(sin(Double(number) / 3))))
  }
}

final class Recogniser: Sendable {
  private let model = QueueScheduler(name: "model")

  func syllable(of frame: Frame) -> SignalProducer<(Int, String), Never> {
    SignalProducer { observer, lifetime in
      let shapes = ["m", "e", "a", "o"]
      lifetime += self.model.schedule(after: .milliseconds(28)) {
        observer.send(value: (frame.number, shapes[min(3, Int(frame.mouth * 4))]))
        observer.sendCompleted()
      }
    }
  }
}

final class CaptionView: Sendable {
  let caption = MutableProperty((0, ""))

  init(_ camera: Camera, _ recogniser: Recogniser) {
    caption
      <~ camera.frames
      .filter { $0.mouth > 0.05 }
      .flatMap(.concat) { recogniser.syllable(of: $0) }  // culprit
      .named("caption")
  }
}

let camera = Camera()
let view = CaptionView(camera, Recogniser())
let shown = MutableProperty(0)
view.caption.signal.observeValues { number, syllable in
  print("\(syllable) (frame \(number), \(shown.value - number) behind)")
}
for number in 1...36 {
  shown.value = number
  camera.capture(number)
  Thread.sleep(forTimeInterval: 0.012)
}
print("the speaker has finished")
Thread.sleep(forTimeInterval: 0.5)
print("last: frame \(view.caption.value.0)")
