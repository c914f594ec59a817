// Symptom: I count a flock by tapping quickly. The sum is less than my taps, the more so the quicker
// I am.
// Looks at: sum (the number below the buttons)
import Foundation
import Varve

enum Species: String, Sendable {
  case crane, goose
}

struct Tap: Sendable {
  let species: Species
  let birds: Int
}

final class Tapping: Sendable {
  let taps: Signal<Tap, Never>
  private let input: Signal<Tap, Never>.Observer

  init() { (taps, input) = Signal.pipe() }

  func tap(_ species: Species, _ birds: Int) {
    input.send(value: Tap(species: species, birds: birds))
  }
}

final class FlockModel: Sendable {
  let cranes = MutableProperty(0)
  let last = MutableProperty<Species?>(nil)
  private let drawing = QueueScheduler(name: "drawing")

  init(_ tapping: Tapping) {
    cranes
      <~ tapping.taps
      .filter { $0.species == .crane }
      .map(\.birds)
      .throttle(.milliseconds(30), on: drawing)  // culprit
      .scan(0, +)
      .named("sum")
    last
      <~ tapping.taps
      .map(\.species)
      .skipRepeats()
      .map(Optional.some)
  }
}

let tapping = Tapping()
let model = FlockModel(tapping)
model.cranes.signal.observeValues { print("sum: \($0)") }
model.last.signal.skipNil().observeValues { print("counting: \($0.rawValue)") }
var counted = 0
for flock in 1...4 {
  for _ in 1...flock * 3 {
    tapping.tap(.crane, 5)
    counted += 5
    Thread.sleep(forTimeInterval: 0.012)
  }
  tapping.tap(.goose, 1)
  Thread.sleep(forTimeInterval: 0.06)
}
Thread.sleep(forTimeInterval: 0.1)
print("tapped \(counted), shown \(model.cranes.value)")
