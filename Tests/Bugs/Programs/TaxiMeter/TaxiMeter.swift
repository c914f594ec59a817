// Symptom: I switched the meter to the night tariff at ten. The passengers of the night were
// all charged by the day tariff.
// Looks at: fare (the amount on the meter)
import Foundation
import Varve

struct Tariff {
  let name: String
  let centsPerKilometre: Int
}

final class Taxi {
  let tariff = MutableProperty(Tariff(name: "day", centsPerKilometre: 220))
  let (metres, wheels) = Signal<Int, Never>.pipe()
  let (starts, flag) = Signal<String, Never>.pipe()

  func drive(_ kilometres: Int) {
    for _ in 0..<(kilometres * 2) {
      wheels.send(value: 500)
      Thread.sleep(forTimeInterval: 0.005)
    }
  }
}

final class Meter {
  let fare = MutableProperty("")

  init(_ taxi: Taxi) {
    let current = taxi.tariff.value  // culprit
    fare
      <~ taxi.starts.flatMap(.latest) { passenger in
        taxi.metres.producer
          .scan(0) { $0 + $1 }
          .map { $0 * current.centsPerKilometre / 1_000 }
          .map { "\(passenger): \($0 / 100) euros \($0 % 100)" }
      }
  }
}

let taxi = Taxi()
let meter = Meter(taxi)
meter.fare.signal.named("fare").observeValues { print($0) }
taxi.flag.send(value: "Mr Hall")
taxi.drive(3)
taxi.tariff.value = Tariff(name: "night", centsPerKilometre: 290)
taxi.flag.send(value: "Ms Reyes")
taxi.drive(4)
print("4 km at night cost 11 euros 60; the meter says \(meter.fare.value)")
