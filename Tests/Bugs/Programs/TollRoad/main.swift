// Symptom: The counter above the toll road says 24 cars, but far fewer have got a bill. Those that
// are missing drove close behind another car.
// Looks at: cars (those that drive through the gate)

import Foundation
import Varve

struct Car: Sendable {
  let plate: String
  let axles: Int
}

final class Gate {
  let cars: Signal<Car, Never>
  private let camera: Signal<Car, Never>.Observer

  init() { (cars, camera) = Signal.pipe(named: "cars") }

  func pass(_ car: Car) { camera.send(value: car) }

  func close() { camera.sendCompleted() }
}

actor Registry {
  private(set) var bills: [String] = []

  /// The office wants to know the owner of each car, which takes a moment.
  func bill(_ car: Car) async {
    try? await Task.sleep(for: .milliseconds(15))
    bills.append("\(car.plate): \(car.axles * 120) cents")
  }
}

final class TollStation {
  let counter = MutableProperty(0)
  private let registry: Registry
  private var billing: Task<Void, Never>?

  init(_ gate: Gate, registry: Registry) {
    self.registry = registry
    counter <~ gate.cars.scan(0) { count, _ in count + 1 }
    let cars = gate.cars.values(buffering: .newest(1))  // culprit
    billing = Task(name: "billing") {
      for await car in cars { await registry.bill(car) }
    }
  }

  func closingTime() async { await billing?.value }
}

let gate = Gate()
let registry = Registry()
let station = TollStation(gate, registry: registry)
for platoon in 1...6 {
  for car in 1...4 {
    gate.pass(Car(plate: "TR \(platoon)0\(car)", axles: car == 4 ? 3 : 2))
    try await Task.sleep(for: .milliseconds(1))
  }
  try await Task.sleep(for: .milliseconds(90))
}
gate.close()
await station.closingTime()
print("counter: \(station.counter.value), bills: \(await registry.bills.count)")
