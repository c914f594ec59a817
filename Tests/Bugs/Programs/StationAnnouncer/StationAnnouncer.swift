// Symptom: The loudspeaker announces trains later and later. In the evening rush it calls
// trains that have long left.
// Looks at: announced (what the loudspeaker says)
import Foundation
import Varve

struct Train {
  let number: Int
  let position: Int
}

final class Tracker {
  let positions: Signal<Train, Never>
  private let input: Signal<Train, Never>.Observer
  private let radio = QueueScheduler(name: "radio")

  init() { (positions, input) = Signal.pipe() }

  func rush(reports: Int) {
    for step in 0..<reports {
      radio.schedule(after: .milliseconds(step * 4)) { [input] in
        input.send(value: Train(number: 100 + step / 20, position: step))
      }
    }
  }
}

final class Loudspeaker {
  private let voice = QueueScheduler(name: "voice")

  func say(_ train: Train) -> SignalProducer<Train, Never> {
    SignalProducer { [voice] observer, lifetime in
      lifetime += voice.schedule(after: .milliseconds(25)) {
        observer.send(value: train)
        observer.sendCompleted()
      }
    }
  }
}

func announcements(_ tracker: Tracker, by speaker: Loudspeaker) -> Signal<Train, Never> {
  tracker.positions
    .filter { $0.position >= 0 }
    .flatMap(.concat) { speaker.say($0) }  // culprit
}

let tracker = Tracker()
let now = MutableProperty(0)
now <~ tracker.positions.map(\.position)
announcements(tracker, by: Loudspeaker()).named("announced").observeValues {
  print("train \($0.number) at \($0.position), now at \(now.value)")
}
tracker.rush(reports: 220)
Thread.sleep(forTimeInterval: 1)
