// Symptom: When I tap on another plant, the page has its name at the top, and below it for a while
// what is to be known about the plant before. I watered my cactus like a fern.
// Looks at: advice (the text below the name)
import Foundation
import Varve

struct Plant: Equatable, Sendable {
  let name: String
  let litres: Double
}

final class Nursery: Sendable {
  private let network = QueueScheduler(name: "nursery")

  func advice(for plant: Plant) -> SignalProducer<String, Never> {
    SignalProducer { [network] observer, lifetime in
      lifetime += network.schedule(after: .milliseconds(60)) {
        observer.send(value: "\(plant.litres) litres a week")
        observer.sendCompleted()
      }
    }
  }
}

final class PlantPage {
  let plant: MutableProperty<Plant>
  let title: Property<String>
  let advice: Property<String>

  init(_ first: Plant, nursery: Nursery) {
    plant = MutableProperty(first)
    title = plant.map { $0.name.uppercased() }
    advice = Property(
      initial: "",
      then: plant.producer
        .skipRepeats()
        .flatMap(.latest) { nursery.advice(for: $0) }
        .prefix(value: "One moment …")  // culprit
        .named("advice"))
  }

  func show() { print("\(title.value): \(advice.value)") }
}

let fern = Plant(name: "fern", litres: 2)
let cactus = Plant(name: "cactus", litres: 0.1)
let page = PlantPage(fern, nursery: Nursery())
for plant in [fern, cactus, fern] {
  page.plant.value = plant
  Thread.sleep(forTimeInterval: 0.02)
  page.show()
  Thread.sleep(forTimeInterval: 0.15)
  page.show()
}
