// Symptom: Whichever camera I tap, the big picture goes on showing the front door.
// Looks at: the big picture ("picture")

import Foundation
import Varve

struct Frame {
  let camera: String
  let number: Int
}

final class CameraHub {
  private let queue = QueueScheduler(name: "hub")

  /// The pictures of a camera, as long as somebody watches.
  func frames(of camera: String) -> SignalProducer<Frame, Never> {
    SignalProducer.interval(.milliseconds(20), on: queue)
      .map { Frame(camera: camera, number: $0) }
      .named("frames of \(camera)")
  }
}

final class MonitorScreen {
  let selected = MutableProperty("front door", named: "selected")
  let picture: Property<Frame?>
  let caption: Property<String>

  init(hub: CameraHub) {
    picture = Property(
      initial: nil,
      then: selected.producer
        .skipRepeats()
        .flatMap(.concat) { hub.frames(of: $0) }  // culprit
        .observe(on: QueueScheduler.main)
        .named("picture"))
    caption = selected.map { $0.uppercased() }
  }
}

func wait(_ seconds: Double) {
  RunLoop.main.run(until: Date().addingTimeInterval(seconds))
}

let screen = MonitorScreen(hub: CameraHub())
wait(0.15)
for camera in ["garden", "garage"] {
  screen.selected.value = camera
  wait(0.15)
  print("\(screen.caption.value) shows \(screen.picture.value?.camera ?? "nothing")")
}
