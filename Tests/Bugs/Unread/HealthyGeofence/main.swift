// Symptom: None. The dog's collar measures ten times a second; the phone is told when the dog leaves
// the garden and when it is back, and of nothing else.
// Looks at: alerts (the notices)

import Foundation
import Varve

struct Fix {
  var meters: Double
  var accuracy: Double
}

final class Collar {
  let fixes: Signal<Fix, Never>
  private let radio: Signal<Fix, Never>.Observer

  init() { (fixes, radio) = Signal.pipe() }

  func measure(at meters: Double, accuracy: Double) {
    radio.send(value: Fix(meters: meters, accuracy: accuracy))
  }

  func switchOff() { radio.sendCompleted() }
}

final class GardenWatch {
  let isOutside: Property<Bool>
  let alerts: Signal<String, Never>
  private let limit = 25.0

  init(collar: Collar) {
    let limit = limit
    isOutside = Property(
      initial: false,
      then: collar.fixes
        .filter { $0.accuracy < 10 }
        .filter { abs($0.meters - limit) > 2 }
        .map { $0.meters > limit }
        .skip(while: { !$0 })
        .skipRepeats())
    alerts = isOutside.signal
      .skipRepeats()
      .map { $0 ? "Bella has left the garden" : "Bella is back" }
      .named("alerts")
  }
}

let collar = Collar()
let watch = GardenWatch(collar: collar)
watch.alerts.observeValues { print($0) }
for step in 0..<400 {
  let meters = 14 + 14 * sin(Double(step) / 30)
  collar.measure(at: meters, accuracy: step % 7 == 0 ? 40 : 4)
}
print("outside: \(watch.isOutside.value)")
collar.switchOff()
