// Symptom: none. The sum is that of the taps; the screen alone is throttled.
// Looks at: sum (the number below the buttons)
import Foundation
import Varve

final class Tapping: Sendable {
  let taps: Signal<Int, Never>
  private let input: Signal<Int, Never>.Observer

  init() { (taps, input) = Signal.pipe() }

  func tap(_ birds: Int) { input.send(value: birds) }
}

final class FlockModel: Sendable {
  let sum = MutableProperty(0)
  let text = MutableProperty("")
  private let drawing = QueueScheduler(name: "drawing")

  init(_ tapping: Tapping) {
    sum
      <~ tapping.taps
      .scan(0, +)
      .named("sum")
    text
      <~ sum.signal
      .throttle(.milliseconds(30), on: drawing)
      .map { "\($0) birds" }
  }
}

let tapping = Tapping()
let model = FlockModel(tapping)
model.text.signal.observeValues { print($0) }
for flock in 1...3 {
  for _ in 1...flock * 3 {
    tapping.tap(5)
    Thread.sleep(forTimeInterval: 0.012)
  }
  Thread.sleep(forTimeInterval: 0.06)
}
Thread.sleep(forTimeInterval: 0.1)
print("counted \(model.sum.value), shown: \(model.text.value)")
