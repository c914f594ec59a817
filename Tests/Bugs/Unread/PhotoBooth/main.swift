// Symptom: If someone has cancelled the countdown once, the booth takes no more photos: the button
// does nothing until we restart it.
// Looks at: the countdown ("countdown")

import Foundation
import Varve

final class Camera {
  let photos = MutableProperty<[String]>([])

  func shoot() -> SignalProducer<String, Never> {
    SignalProducer { [photos] in
      photos.modify { photos in
        photos.append("IMG_\(photos.count + 1).jpg")
        return photos.last ?? ""
      }
    }
  }
}

final class Panel {
  let start: Signal<Void, Never>
  let cancel: Signal<Void, Never>
  private let startButton: Signal<Void, Never>.Observer
  private let cancelButton: Signal<Void, Never>.Observer

  init() {
    (start, startButton) = Signal.pipe()
    (cancel, cancelButton) = Signal.pipe()
  }

  func pressStart() { startButton.send(value: ()) }
  func pressCancel() { cancelButton.send(value: ()) }
}

final class Booth {
  let display: Property<String>

  init(panel: Panel, camera: Camera, clock: QueueScheduler) {
    let countdown = SignalProducer.interval(
      ["3", "2", "1"], interval: .milliseconds(25), on: clock)
    display = Property(
      initial: "Press the button",
      then: panel.start
        .flatMap(.latest) {
          countdown.concat(camera.shoot().map { "Saved as \($0)" })
        }
        .take(until: panel.cancel)  // culprit
        .named("countdown"))
  }
}

let clock = QueueScheduler(name: "countdown")
let panel = Panel()
let camera = Camera()
let booth = Booth(panel: panel, camera: camera, clock: clock)

panel.pressStart()
Thread.sleep(forTimeInterval: 0.15)
print(booth.display.value)
panel.pressStart()
Thread.sleep(forTimeInterval: 0.04)
panel.pressCancel()
for _ in 1...2 {
  panel.pressStart()
  Thread.sleep(forTimeInterval: 0.15)
  print(booth.display.value)
}
print("photos: \(camera.photos.value)")
