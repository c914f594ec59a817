// Symptom: I touch the slider once, and the two volumes push each other up and down without end;
// the mixer gets hundreds of commands.
// Looks at: the level of the slider ("slider")

import Foundation
import Varve

/// What the mixer understands are whole decibels; the slider has steps of its own.
func decibels(_ level: Int) -> Int { level / 2 - 60 }
func level(_ decibels: Int) -> Int { (decibels + 60) * 2 + 1 }

final class Mixer {
  let gain = MutableProperty(-60)
  private(set) var commands = 0

  init() {
    gain.signal.observeValues { [unowned self] _ in commands += 1 }
  }
}

final class MixerModel {
  let slider = MutableProperty(1)
  private let link = QueueScheduler(name: "link")
  private let disposables = CompositeDisposable()

  init(_ mixer: Mixer) {
    let moved = slider.signal.named("slider")
    disposables += mixer.gain
      <~ moved
      .delay(.milliseconds(1), on: link)
      .map { decibels($0 + 2) }
    disposables += slider
      <~ mixer.gain.signal  // culprit
      .map { level($0) % 120 }
      .named("echo")
  }

  func close() { disposables.dispose() }
}

let mixer = Mixer()
let model = MixerModel(mixer)
model.slider.value = 80
Thread.sleep(forTimeInterval: 0.5)
model.close()
print("\(mixer.commands) commands for one touch; the slider is at \(model.slider.value)")
