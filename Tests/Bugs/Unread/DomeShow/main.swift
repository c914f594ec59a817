// Symptom: In the planetarium the brightness of the dome jerks now and then, and the log says that the
// projector was told to change from a thread other than its own.
// Looks at: the brightness of the dome ("brightness")
import Foundation
import Varve

struct Cue {
  let name: String
  let brightness: Int
}

final class Projector {
  let scheduler = QueueScheduler(name: "projector")
  private var wrongThreads = 0

  init() { scheduler.queue.setSpecific(key: key, value: true) }

  private let key = DispatchSpecificKey<Bool>()

  func set(brightness: Int) {
    if DispatchQueue.getSpecific(key: key) != true { wrongThreads += 1 }
  }

  var report: String { "\(wrongThreads) times from another thread" }
}

final class Show {
  private let script = QueueScheduler(name: "script")
  private let desk = QueueScheduler(name: "desk")

  func cues() -> Signal<Cue, Never> {
    let (cues, input) = Signal<Cue, Never>.pipe(named: "cues")
    for number in 0..<30 {
      script.schedule(after: .milliseconds(10 * (number + 1))) {
        input.send(value: Cue(name: "cue \(number)", brightness: number * 3 % 100))
      }
    }
    return cues
  }

  /// What the operator does by hand.
  func slider() -> Signal<Int, Never> {
    let (slider, input) = Signal<Int, Never>.pipe(named: "slider")
    desk.schedule(after: .milliseconds(105)) { input.send(value: 5) }
    desk.schedule(after: .milliseconds(205)) { input.send(value: 95) }
    return slider
  }
}

let projector = Projector()
let show = Show()
let cues = show.cues().map(\.brightness).observe(on: projector.scheduler)
let slider = show.slider().skipRepeats()  // culprit
Signal.merge([cues, slider]).named("brightness").observeValues { brightness in
  projector.set(brightness: brightness)
}
Thread.sleep(forTimeInterval: 0.45)
print(projector.report)
