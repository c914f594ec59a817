// Symptom: None: departures of the stop that is selected last, and the old request is given up.
// Looks at: the departures on the sheet (the property "departures")

import Foundation
import Varve

struct Stop: Equatable {
  var name: String
  var isUnderground: Bool
}

final class TransitService {
  private let network = QueueScheduler(name: "network")

  func departures(from stop: Stop) -> SignalProducer<[String], Never> {
    SignalProducer(value: ["4", "11"].map { "\($0) from \(stop.name)" })
      .delay(.milliseconds(stop.isUnderground ? 120 : 20), on: network)
  }
}

final class StopSheetModel {
  let selected = MutableProperty<Stop?>(nil)
  let departures = MutableProperty<[String]>([], named: "departures")
  private let (lifetime, token) = Lifetime.make()

  init(service: TransitService) {
    departures
      <~ selected.signal
      .skipNil()
      .skipRepeats()
      .take(during: lifetime)
      .flatMap(.latest) { service.departures(from: $0) }
  }
}

var model: StopSheetModel? = StopSheetModel(service: TransitService())
model?.departures.signal.observeValues { print($0.joined(separator: ", ")) }
model?.selected.value = Stop(name: "Opera", isUnderground: true)
Thread.sleep(forTimeInterval: 0.03)
model?.selected.value = Stop(name: "Harbour", isUnderground: false)
Thread.sleep(forTimeInterval: 0.3)
model = nil
