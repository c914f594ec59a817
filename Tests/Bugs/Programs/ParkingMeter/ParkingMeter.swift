// Symptom: I set two hours, and then I see that I stand in the zone of the station and choose it. The
// price stays that of my street until I touch the slider again.
// Looks at: price (the number on the button)
import Foundation
import Varve

struct Zone: Equatable {
  let name: String
  let centsPerHour: Int
  let maximum: Int
}

struct Tariff {
  let minimum = 50

  func cents(for minutes: Int, in zone: Zone) -> Int {
    let paid = min(minutes, zone.maximum)
    return max(minimum, (paid * zone.centsPerHour + 59) / 60)
  }
}

final class ParkingModel {
  let minutes = MutableProperty(30)
  let zone: MutableProperty<Zone>
  let price: Property<Int>
  let label: Property<String>

  init(startingIn zone: Zone, tariff: Tariff) {
    self.zone = MutableProperty(zone)
    price = Property(
      initial: 0,
      then: minutes.producer
        .skipRepeats()
        .withLatest(from: self.zone)  // culprit
        .map { minutes, zone in tariff.cents(for: minutes, in: zone) })
    label = price.map { String(format: "Pay %d.%02d €", $0 / 100, $0 % 100) }
  }
}

final class ParkingScreen {
  private let model: ParkingModel

  init(_ model: ParkingModel) {
    self.model = model
    model.price.producer.named("price").startWithValues { print("price: \($0)") }
  }

  func drag(to minutes: Int) { model.minutes.value = minutes }

  func choose(_ zone: Zone) {
    print("zone: \(zone.name)")
    model.zone.value = zone
  }
}

let street = Zone(name: "Lindenweg", centsPerHour: 120, maximum: 240)
let station = Zone(name: "Station", centsPerHour: 360, maximum: 120)
let model = ParkingModel(startingIn: street, tariff: Tariff())
let screen = ParkingScreen(model)
for minutes in stride(from: 45, through: 120, by: 15) {
  screen.drag(to: minutes)
  Thread.sleep(forTimeInterval: 0.01)
}
screen.choose(station)
Thread.sleep(forTimeInterval: 0.05)
print(model.label.value, "for", model.minutes.value, "minutes in", model.zone.value.name)
