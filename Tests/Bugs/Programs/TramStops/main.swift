// Symptom: I tap on one stop, then on another, and the sheet of the second stop shows the departures
// of the first.
// Looks at: the departures on the sheet (the property "departures")

import Foundation
import Varve

struct Stop {
  var name: String
  var isUnderground: Bool
}

struct Departure {
  var line: String
  var stop: String
}

/// Answers for underground stops come from another operator, which is slow.
final class TransitService {
  private let network = QueueScheduler(name: "network")

  func departures(from stop: Stop) -> SignalProducer<[Departure], Never> {
    let latency = stop.isUnderground ? 120 : 20
    return SignalProducer(value: ["4", "11", "U2"].map { Departure(line: $0, stop: stop.name) })
      .delay(.milliseconds(latency), on: network)
  }
}

final class StopSheetModel {
  let selected = MutableProperty<Stop?>(nil)
  let departures = MutableProperty<[Departure]>([], named: "departures")

  init(service: TransitService) {
    departures
      <~ selected.signal
      .skipNil()
      .flatMap(.merge) { service.departures(from: $0) }  // culprit
  }

  var title: String { selected.value?.name ?? "–" }
}

let model = StopSheetModel(service: TransitService())
model.departures.signal.observeValues { list in
  print("\(model.title): \(list.map { "\($0.line) from \($0.stop)" }.joined(separator: ", "))")
}
model.selected.value = Stop(name: "Opera", isUnderground: true)
Thread.sleep(forTimeInterval: 0.03)
model.selected.value = Stop(name: "Harbour", isUnderground: false)
Thread.sleep(forTimeInterval: 0.4)
print("At the end: \(model.title) shows \(model.departures.value.first?.stop ?? "nothing")")
