// Symptom: When I change the exercise, the watch taps my wrist more and more often, in a rhythm that
// belongs to no exercise.
// Looks at: taps (what I feel at the wrist)
import Foundation
import Varve

enum Exercise: Int, Sendable {
  case calm = 40
  case box = 30
  case lively = 20

  var pace: Duration { .milliseconds(rawValue) }
}

struct Tap: Sendable {
  let exercise: Exercise
  let beat: Int
}

final class Coach {
  let exercise = MutableProperty<Exercise?>(nil)
  let isMuted = MutableProperty(false)
  let taps: Signal<Tap, Never>
  private let wrist = QueueScheduler(name: "wrist")

  init() {
    taps = exercise.signal
      .skipRepeats()
      .skipNil()
      .flatMap(.merge) { [wrist] exercise in  // culprit
        SignalProducer.interval(exercise.pace, on: wrist)
          .map { Tap(exercise: exercise, beat: $0 % 4) }
      }
      .withLatest(from: isMuted)
      .filter { !$1 }
      .map { tap, _ in tap }
      .named("taps")
  }
}

let coach = Coach()
let felt = MutableProperty(0)
coach.taps.observeValues { tap in felt.modify { $0 += 1 } }
for exercise in [Exercise.calm, .box, .lively, .calm, .box] {
  coach.exercise.value = exercise
  felt.value = 0
  Thread.sleep(forTimeInterval: 0.2)
  print("\(exercise): \(felt.value) taps, should be \(200 / exercise.rawValue)")
}
