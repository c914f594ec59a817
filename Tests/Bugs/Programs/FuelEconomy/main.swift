// Symptom: I switch the board computer from kilometres to miles. The range goes on being shown in
// kilometres until some more fuel has been burnt, and with the engine off it stays like that.
// Looks at: the text of the range ("range")

import Foundation
import Varve

enum DistanceUnit: String, Sendable {
  case kilometres = "km"
  case miles = "mi"

  func text(_ kilometres: Double) -> String {
    "\(Int((self == .miles ? kilometres / 1.609 : kilometres).rounded())) \(rawValue)"
  }
}

final class Preferences: Sendable {
  let unit = MutableProperty(DistanceUnit.kilometres)
  let isDark = MutableProperty(false)
}

final class Tank {
  let litres = MutableProperty(41.0)
  let consumption = MutableProperty(6.2)

  func burn(_ amount: Double) {
    litres.modify { $0 -= amount }
  }
}

final class BoardComputer {
  let range: Property<String>
  let odometer: Property<String>
  let kilometres = MutableProperty(18_204.0)

  init(_ tank: Tank, preferences: Preferences) {
    range = Property.combineLatest(tank.litres, tank.consumption)
      .map { litres, consumption in litres / consumption * 100 }
      .map { preferences.unit.value.text($0) }  // culprit
    odometer = Property.combineLatest(kilometres, preferences.unit)
      .map { $1.text($0) }
  }
}

let preferences = Preferences()
let tank = Tank()
let computer = BoardComputer(tank, preferences: preferences)
computer.range.producer.named("range").startWithValues { print("range \($0)") }

for _ in 0..<3 {
  Thread.sleep(forTimeInterval: 0.02)
  tank.burn(0.8)
  computer.kilometres.value += 13
}
Thread.sleep(forTimeInterval: 0.02)
preferences.unit.value = .miles
Thread.sleep(forTimeInterval: 0.1)
print("parked: odometer \(computer.odometer.value), range \(computer.range.value)")
