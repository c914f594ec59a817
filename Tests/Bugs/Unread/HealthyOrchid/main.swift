// Symptom: None. Whoever taps on another plant reads "One moment" until its advice is there, and
// the two screens share one reading of the soil.
// Looks at: advice (the text below the name)
import Foundation
import Varve

let ui = QueueScheduler(name: "ui")

final class Nursery: Sendable {
  private let network = QueueScheduler(name: "nursery")

  func advice(for plant: String) -> SignalProducer<String, Never> {
    SignalProducer { [network] observer, lifetime in
      lifetime += network.schedule(after: .milliseconds(40)) {
        observer.send(value: "\(plant): \(plant.count) glasses a week")
        observer.sendCompleted()
      }
    }
  }
}

final class Soil: Sendable {
  let moisture: SignalProducer<Int, Never>

  init() {
    moisture =
      SignalProducer.interval(.milliseconds(10), on: QueueScheduler(name: "soil"))
      .map { 60 - $0 / 2 }
      .named("moisture")
      .replayLazily(upTo: 1)
  }
}

final class PlantScreen {
  let plant = MutableProperty("orchid")
  let advice = MutableProperty("")
  let bar = MutableProperty("")
  private let running = ScopedDisposable(CompositeDisposable())

  init(_ nursery: Nursery, soil: Soil) {
    running += advice
      <~ plant.producer
      .skipRepeats()
      .flatMap(.latest) { nursery.advice(for: $0).prefix(value: "One moment …") }
      .observe(on: ui)
      .named("advice")
    // Whoever draws slowly may leave out a value.
    running += bar
      <~ soil.moisture.lazyMap(on: ui) { String(repeating: "▮", count: $0 / 10) }
  }
}

let soil = Soil()
let nursery = Nursery()
var screens = [PlantScreen(nursery, soil: soil), PlantScreen(nursery, soil: soil)]
for plant in ["orchid", "cactus", "fern"] {
  screens[0].plant.value = plant
  Thread.sleep(forTimeInterval: 0.02)
  print(screens[0].advice.value)
  Thread.sleep(forTimeInterval: 0.12)
  print("\(screens[0].advice.value) \(screens[1].bar.value)")
}
screens.removeAll()
Thread.sleep(forTimeInterval: 0.05)
