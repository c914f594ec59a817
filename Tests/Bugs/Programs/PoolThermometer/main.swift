// Symptom: The watch says “26 degrees” over and over again, although it is supposed to speak only if
// the number has changed.
// Looks at: the spoken temperatures ("spoken")

import Foundation
import Varve

final class Thermometer {
  let celsius: Signal<Double, Never>
  private let input: Signal<Double, Never>.Observer

  init() { (celsius, input) = Signal.pipe() }

  func measure(_ celsius: Double) { input.send(value: celsius) }
}

final class Speech {
  private(set) var sentences: [String] = []

  func say(_ sentence: String) { sentences.append(sentence) }
}

final class SwimCoach {
  let temperature: Property<Double>
  private let speaking = CompositeDisposable()

  init(thermometer: Thermometer, speech: Speech) {
    temperature = Property(initial: 0, then: thermometer.celsius)
    speaking += thermometer.celsius
      .filter { $0 > 0 && $0 < 45 }
      .skipRepeats()  // culprit
      .map { Int($0.rounded()) }
      .named("spoken")
      .observeValues { speech.say("\($0) degrees") }
  }

  deinit { speaking.dispose() }
}

let thermometer = Thermometer()
let speech = Speech()
let coach = SwimCoach(thermometer: thermometer, speech: speech)
for minute in 0..<60 {
  let drift = 0.3 * sin(Double(minute) / 9)
  let noise = Double((minute * 37) % 11) / 100
  thermometer.measure(minute == 30 ? 85 : 25.9 + drift + noise)
}
print("said \(speech.sentences.count) times, in the end: \(speech.sentences.last ?? "nothing")")
print("different sentences: \(Set(speech.sentences).sorted())")
