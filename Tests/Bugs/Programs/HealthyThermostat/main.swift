// Symptom: None; this works.
// Looks at: the wanted temperature (the property "target")

import Foundation
import Varve

/// The dial and the boiler follow each other; both round to half degrees, so they come to rest.
func half(_ celsius: Double) -> Double { (celsius * 2).rounded() / 2 }

final class Boiler {
  let queue = QueueScheduler(name: "boiler")
  let target = MutableProperty(20.0, named: "target")
  let isHeating: Property<Bool>
  let room = MutableProperty(19.0)

  init() {
    isHeating = target.combineLatest(with: room).map { $0 > $1 }.skipRepeats()
  }
}

final class Dial {
  let ui = QueueScheduler(name: "ui")
  let position = MutableProperty(20.0)
}

final class ThermostatScreen {
  let boiler = Boiler()
  let dial = Dial()
  private(set) var flame: [Bool] = []
  private var observation: (any Disposable)?

  init() {
    boiler.target
      <~ dial.position.signal
      .map(half)
      .skipRepeats()
      .observe(on: boiler.queue)
    dial.position
      <~ boiler.target.signal
      .skipRepeats()
      .observe(on: dial.ui)
    observation = boiler.isHeating.producer
      .observe(on: dial.ui)
      .startWithValues { [weak self] in self?.flame.append($0) }
  }

  deinit { observation?.dispose() }
}

let screen = ThermostatScreen()
for wanted in [21.3, 22.0, 18.1, 20.6] {
  screen.dial.position.value = wanted
  Thread.sleep(forTimeInterval: 0.1)
}
for tick in 0..<10 {
  screen.boiler.queue.schedule { screen.boiler.room.value = 19 + Double(tick) * 0.3 }
  Thread.sleep(forTimeInterval: 0.02)
}
Thread.sleep(forTimeInterval: 0.1)
print(
  "dial \(screen.dial.position.value), target \(screen.boiler.target.value), flame \(screen.flame)")
