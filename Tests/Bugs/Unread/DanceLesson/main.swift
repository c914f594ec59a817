// Symptom: In the first bars the verdict is right. After that it calls me late, and later and later, though
// I dance on the beat.
// Looks at: verdicts (the text on the mat)
import Foundation
import Varve

final class Music {
  let beats: Signal<Date, Never>
  private let input: Signal<Date, Never>.Observer
  private let player = QueueScheduler(name: "player")

  init() { (beats, input) = Signal.pipe() }

  func play() -> any Disposable {
    SignalProducer.interval(.milliseconds(10), on: player)
      .startWithValues { [input] _ in input.send(value: Date()) }
  }
}

final class DanceMat {
  let steps: Signal<Date, Never>
  private let input: Signal<Date, Never>.Observer

  init() { (steps, input) = Signal.pipe() }

  func step() { input.send(value: Date()) }
}

final class Teacher {
  let verdicts: Signal<String, Never>

  init(_ music: Music, _ mat: DanceMat) {
    verdicts = Signal.zip(music.beats, mat.steps)  // culprit
      .map { beat, step in
        let late = Int(step.timeIntervalSince(beat) * 1_000)
        return late < 12 ? "good" : "\(late) ms late"
      }
      .named("verdicts")
  }
}

let music = Music()
let mat = DanceMat()
let teacher = Teacher(music, mat)
var shown: [String] = []
teacher.verdicts.observeValues { shown.append($0) }
let playing = music.play()
Thread.sleep(forTimeInterval: 0.012)
for _ in 1...25 {
  mat.step()
  Thread.sleep(forTimeInterval: 0.04)
}
playing.dispose()
print(shown.prefix(3), "…", shown.suffix(3))
