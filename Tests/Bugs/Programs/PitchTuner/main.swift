// Symptom: After a moment the tuner says that it hears nothing, and stays so, although I am playing
// all the time.
// Looks at: the note ("note")

import Foundation
import Varve

enum TunerError: Error {
  case silence
}

final class Microphone {
  let pitches: Signal<Double, Never>
  private let input: Signal<Double, Never>.Observer
  private let audio = QueueScheduler(name: "audio")
  private let recording = SerialDisposable()

  init() { (pitches, input) = Signal.pipe() }

  func start() {
    recording.inner = SignalProducer.interval(.milliseconds(10), on: audio)
      .startWithValues { [input] tick in
        input.send(value: 436 + Double(tick % 90) / 9)
      }
  }

  func stop() { recording.dispose() }
}

final class TunerModel {
  let note = MutableProperty("–")
  let hint = MutableProperty("")
  private let clock = QueueScheduler(name: "tuner")

  func listen(to microphone: Microphone) {
    microphone.pitches
      .filter { (60...1_500).contains($0) }
      .map { hertz in Int((1_200 * log2(hertz / 440)).rounded()) }
      .promoteError(TunerError.self)
      .timeout(after: .milliseconds(200), raising: .silence, on: clock)  // culprit
      .named("note")
      .observeResult { [note, hint] result in
        switch result {
        case .success(let cents):
          note.value = "A4 \(cents >= 0 ? "+" : "")\(cents)"
          hint.value = abs(cents) < 5 ? "in tune" : cents > 0 ? "lower" : "higher"
        case .failure:
          note.value = "–"
          hint.value = "Play louder"
        }
      }
  }
}

let microphone = Microphone()
let tuner = TunerModel()
tuner.listen(to: microphone)
microphone.start()
for _ in 1...5 {
  Thread.sleep(forTimeInterval: 0.1)
  print(tuner.note.value, tuner.hint.value)
}
microphone.stop()
