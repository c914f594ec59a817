// Symptom: I turn the dial of the telescope and it follows seconds later. When I have long let go, it
// still wanders.
// Looks at: position (where the telescope points)
import Foundation
import Varve

struct Aim: Equatable, Sendable {
  let degrees: Double
}

final class Mount: Sendable {
  let position = MutableProperty(Aim(degrees: 0))
  private let motor = QueueScheduler(name: "motor")

  func turn(to aim: Aim) -> SignalProducer<Aim, Never> {
    SignalProducer(value: aim).delay(.milliseconds(25), on: motor)
  }
}

final class MountModel: Sendable {
  let dial = MutableProperty(Aim(degrees: 0))
  let isBusy = MutableProperty(false)

  init(_ mount: Mount) {
    mount.position
      <~ dial.signal
      .skipRepeats()
      // The gears do not like two commands at once.
      .flatMap(.concat) { [isBusy] aim in  // culprit
        mount.turn(to: aim)
          .on(
            started: { isBusy.value = true },
            terminated: { isBusy.value = false })
      }
      .named("position")
  }
}

let mount = Mount()
let model = MountModel(mount)
for step in 1...60 {
  model.dial.value = Aim(degrees: Double(step) / 2)
  Thread.sleep(forTimeInterval: 0.004)
}
print("dial at \(model.dial.value.degrees), telescope at \(mount.position.value.degrees)")
for _ in 1...4 {
  Thread.sleep(forTimeInterval: 0.35)
  print("telescope at \(mount.position.value.degrees)")
}
