// Symptom: None. The valve and its dial are bound to each other, and settle; two screens share one
// reading of the soil; both end when the app closes.
// Looks at: the opening of the valve ("valve")

import Foundation
import Varve

final class Soil: Sendable {
  private let bus = QueueScheduler(name: "bus")
  let readings = MutableProperty(0)

  func moisture() -> SignalProducer<Int, Never> {
    SignalProducer { [readings] observer, _ in
      readings.modify { $0 += 1 }
      Thread.sleep(forTimeInterval: 0.02)
      observer.send(value: 37)
      observer.sendCompleted()
    }
    .start(on: bus)
  }
}

final class Valve {
  let opening = MutableProperty(0)
}

final class OrchardModel {
  let dial = MutableProperty(0.0)
  let phone = MutableProperty("")
  let wall = MutableProperty("")
  private let disposables = CompositeDisposable()

  init(_ valve: Valve, _ soil: Soil) {
    let turned = dial.signal.map { Int(($0 * 100).rounded()) }.skipRepeats().named("valve")
    disposables += valve.opening <~ turned
    disposables += dial <~ valve.opening.signal.skipRepeats().map { Double($0) / 100 }

    let moisture = soil.moisture().replayLazily(upTo: 1).named("moisture")
    disposables += phone <~ moisture.map { "\($0) %" }
    disposables += wall <~ moisture.map { $0 < 40 ? "dry" : "wet" }
  }

  func close() { disposables.dispose() }
}

let valve = Valve()
let soil = Soil()
let model = OrchardModel(valve, soil)
for turn in [0.1, 0.104, 0.25, 0.5, 0.5, 0.333] {
  model.dial.value = turn
  Thread.sleep(forTimeInterval: 0.03)
}
valve.opening.value = 80
Thread.sleep(forTimeInterval: 0.05)
model.close()
model.dial.value = 0
print("dial \(model.dial.value), valve \(valve.opening.value)")
print(model.phone.value, model.wall.value, "by \(soil.readings.value) reading")
