// Symptom: I pull the slider down to zero quickly and let go. The slider is at zero, and the speaker
// still plays softly.
// Looks at: volume (how loud the speaker is)
import Foundation
import Varve

final class Speaker {
  let volume = MutableProperty(80)
}

/// One pull at the slider, from touching it to letting it go.
final class Drag {
  let values: Signal<Int, Never>
  private let input: Signal<Int, Never>.Observer

  init() { (values, input) = Signal<Int, Never>.pipe() }

  func move(to value: Int) { input.send(value: value) }
  func letGo() { input.sendCompleted() }
}

final class Slider {
  let knob = MutableProperty(80)
  private let (drags, began) = Signal<Drag, Never>.pipe()

  init(_ speaker: Speaker, on bluetooth: any TimedScheduler) {
    knob <~ drags.flatMap(.latest) { $0.values }.map { max(0, $0) }
    speaker.volume
      <~ drags
      .flatMap(.merge) { drag in
        drag.values
          .map { max(0, min(100, $0)) }
          .throttle(.milliseconds(70), on: bluetooth)  // culprit
      }
      .skipRepeats()
  }

  func touch() -> Drag {
    let drag = Drag()
    began.send(value: drag)
    return drag
  }
}

let speaker = Speaker()
let slider = Slider(speaker, on: QueueScheduler(name: "bluetooth"))
speaker.volume.signal.named("volume").observeValues { print("speaker: \($0)") }

let drag = slider.touch()
for value in stride(from: 80, through: -8, by: -8) {
  Thread.sleep(forTimeInterval: 0.01)
  drag.move(to: value)
}
drag.letGo()
Thread.sleep(forTimeInterval: 0.2)
print("slider \(slider.knob.value), speaker \(speaker.volume.value)")
