// Symptom: When I report a fallen tree, nothing is sent, although the map shows where I am. If I walk
// some steps first, it works.
// Looks at: the reports ("reports")

import Foundation
import Varve

struct Place: Equatable {
  var latitude: Double
  var longitude: Double
}

struct Report {
  var what: String
  var place: Place
}

final class Locator {
  let place = MutableProperty<Place?>(nil)

  func found(_ place: Place) { self.place.value = place }
}

final class ReportModel {
  let pin: Property<Place?>
  let reports: Signal<Report, Never>
  private let button: Signal<String, Never>.Observer

  init(locator: Locator) {
    let (taps, button) = Signal<String, Never>.pipe()
    self.button = button
    pin = Property(locator.place)
    reports =
      taps
      .withLatest(from: locator.place.signal.skipNil())  // culprit
      .map { Report(what: $0, place: $1) }
      .named("reports")
  }

  func report(_ what: String) { button.send(value: what) }
}

final class Office {
  private(set) var tickets: [String] = []

  init(reports: Signal<Report, Never>) {
    reports.observeValues { [weak self] report in
      self?.tickets.append("\(report.what) at \(report.place.latitude)")
    }
  }
}

let locator = Locator()
locator.found(Place(latitude: 47.62, longitude: 12.98))

let model = ReportModel(locator: locator)
let office = Office(reports: model.reports)
print("pin at \(model.pin.value?.latitude ?? 0)")
model.report("fallen tree")
model.report("broken fence")
print("tickets: \(office.tickets)")
