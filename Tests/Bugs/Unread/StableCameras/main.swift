// Symptom: I switch from the camera in the barn to the one at the gate, and the picture flickers: now
// the gate, now the barn again. With each camera that I look at it gets worse.
// Looks at: what the screen shows ("picture")

import Foundation
import Varve

struct Frame: Sendable {
  let camera: String
  let number: Int
}

final class Camera: Sendable {
  let name: String
  private let queue: QueueScheduler

  init(_ name: String) {
    self.name = name
    queue = QueueScheduler(name: name)
  }

  var frames: SignalProducer<Frame, Never> {
    SignalProducer.interval(.milliseconds(10), on: queue)
      .map { [name] in Frame(camera: name, number: $0) }
  }
}

final class StableScreen: Sendable {
  let selection: MutableProperty<Camera>
  let picture: Property<Frame?>
  private let ui = QueueScheduler(name: "ui")

  init(_ first: Camera) {
    selection = MutableProperty(first)
    picture = Property(
      initial: nil,
      then: selection.producer
        .flatMap(.merge) { $0.frames }  // culprit
        .observe(on: ui)
        .named("picture"))
  }
}

let cameras = ["barn", "gate", "paddock"].map { Camera($0) }
let screen = StableScreen(cameras[0])
for camera in cameras {
  screen.selection.value = camera
  Thread.sleep(forTimeInterval: 0.05)
  var seen: [String] = []
  for _ in 0..<8 {
    Thread.sleep(forTimeInterval: 0.013)
    seen.append(screen.picture.value?.camera ?? "black")
  }
  print("\(camera.name) selected, shown: \(seen.joined(separator: " "))")
}
