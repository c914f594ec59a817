// Symptom: I changed the currency in the settings to pounds and pulled the list of flats down. It
// loads, and all the prices are still in euros, until I restart the app.
// Looks at: the list of flats ("flats")

import Foundation
import Varve

enum Currency: String, Sendable {
  case euro = "€"
  case pound = "£"
}

final class Settings {
  let currency = MutableProperty(Currency.euro)
}

struct Flat: Sendable {
  let city: String
  let price: String
}

final class FlatsAPI: Sendable {
  private let network = QueueScheduler(name: "network")
  private let nightly = ["Lisbon": 84, "Porto": 71, "Faro": 66]

  func flats(in currency: Currency) -> SignalProducer<[Flat], Never> {
    let rate = currency == .euro ? 1.0 : 0.86
    let flats = nightly.sorted { $0.key < $1.key }.map { city, price in
      Flat(city: city, price: "\(Int(Double(price) * rate)) \(currency.rawValue)")
    }
    return SignalProducer(value: flats).delay(.milliseconds(20), on: network)
  }
}

final class FlatListViewModel {
  let flats: Property<[Flat]>
  let pull: Signal<Void, Never>.Observer

  init(api: FlatsAPI, settings: Settings) {
    let (pulls, pull) = Signal<Void, Never>.pipe()
    self.pull = pull
    let request = api.flats(in: settings.currency.value)  // culprit
    let loaded = pulls.producer
      .prefix(value: ())
      .flatMap(.latest) { request }
      .named("flats")
    flats = Property(initial: [], then: loaded)
  }
}

let settings = Settings()
let list = FlatListViewModel(api: FlatsAPI(), settings: settings)
let drawing = list.flats.signal.observeValues { flats in
  print(flats.map { "\($0.city) \($0.price)" }.joined(separator: ", "))
}
Thread.sleep(forTimeInterval: 0.1)
list.pull.send(value: ())
Thread.sleep(forTimeInterval: 0.1)
settings.currency.value = .pound
print("currency: \(settings.currency.value.rawValue)")
for _ in 1...2 {
  Thread.sleep(forTimeInterval: 0.1)
  list.pull.send(value: ())
}
Thread.sleep(forTimeInterval: 0.1)
