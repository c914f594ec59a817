// Symptom: After I turned the volume knob quickly it goes on trembling between two positions, and
// the fan of my laptop goes on although I don't touch anything.
// Looks at: the position of the knob (the property "knob")

import Foundation
import Varve

struct Gain: Equatable {
  var decibels: Double

  init(decibels: Double) { self.decibels = decibels }

  init(degrees: Int) { decibels = Double(degrees) / 4 - 60 }

  var degrees: Int { Int((decibels + 60) * 4) }
}

final class Mixer {
  let gain = MutableProperty(Gain(decibels: -60))
  let queue = QueueScheduler(name: "mixer")
}

final class KnobView {
  let angle = MutableProperty(0, named: "knob")
  let ui = QueueScheduler(name: "ui")
}

final class MixerScreen {
  let mixer = Mixer()
  let knob = KnobView()

  init() {
    mixer.gain
      <~ knob.angle.signal
      .skipRepeats()
      .map { Gain(degrees: $0) }
      .observe(on: mixer.queue)
    knob.angle
      <~ mixer.gain.signal  // culprit
      .skipRepeats()
      .map { $0.degrees }
      .observe(on: knob.ui)
  }

  func turn(through angles: [Int]) {
    for angle in angles { knob.angle.value = angle }
  }
}

let screen = MixerScreen()
screen.turn(through: [40, 44])
Thread.sleep(forTimeInterval: 0.7)
var seen: Set<Int> = []
for _ in 0..<200 {
  seen.insert(screen.knob.angle.value)
  Thread.sleep(forTimeInterval: 0.001)
}
print("positions while nobody turns: \(seen.sorted())")
