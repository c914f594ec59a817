// Symptom: I press the button once, and the cuff inflates two times. The second time hurts.
// Looks at: how often the cuff inflates ("cuff")

import Foundation
import Varve

struct Measurement {
  var systolic: Int
  var diastolic: Int
}

final class Cuff: Sendable {
  let inflations: Signal<Int, Never>
  private let input: Signal<Int, Never>.Observer
  private let motor = QueueScheduler(name: "motor")

  init() { (inflations, input) = Signal.pipe(named: "cuff") }

  /// Inflates, and listens while the air leaves.
  func measure() -> SignalProducer<Measurement, Never> {
    SignalProducer { [input] observer, _ in
      input.send(value: 180)
      Thread.sleep(forTimeInterval: 0.05)
      observer.send(value: Measurement(systolic: 124, diastolic: 81))
      observer.sendCompleted()
    }
    .start(on: motor)
  }
}

final class PressureModel {
  let text = MutableProperty("--/--")
  let warning = MutableProperty(false)
  private let cuff: Cuff

  init(_ cuff: Cuff) { self.cuff = cuff }

  func press() {
    let measurement = cuff.measure()
    let upper = measurement.map { $0.systolic }
    let lower = measurement.map { $0.diastolic }
    text <~ upper.zip(with: lower).map { "\($0)/\($1)" }.named("text")  // culprit
  }
}

let cuff = Cuff()
cuff.inflations.observeValues { print("inflating to \($0)") }
let model = PressureModel(cuff)
model.press()
Thread.sleep(forTimeInterval: 0.25)
print(model.text.value)
