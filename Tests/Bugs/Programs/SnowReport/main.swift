// Symptom: The app shows the snow of yesterday, all day long. The report of this morning is on the
// server, but it never comes.
// Looks at: the report ("report")

import Foundation
import Varve

struct Report: Equatable {
  var day: Int
  var centimeters: Int
}

final class ReportStore {
  private let saved = MutableProperty<Report?>(Report(day: 14, centimeters: 85))

  /// The latest stored report.
  var latest: SignalProducer<Report, Never> { saved.producer.skipNil() }

  func save(_ report: Report) { saved.value = report }
}

final class ResortServer {
  private let network = QueueScheduler(name: "resort")

  func today() -> SignalProducer<Report, Never> {
    SignalProducer(value: Report(day: 15, centimeters: 120))
      .delay(.milliseconds(30), on: network)
  }
}

final class SnowModel {
  let report: Property<Report?>
  let headline: Property<String>

  init(store: ReportStore, server: ResortServer) {
    let reports = store.latest
      .concat(server.today().on(value: store.save))  // culprit
      .skipRepeats()
      .named("report")
    report = Property(initial: nil, then: reports.map { Optional($0) })
    headline = report.map { report in
      report.map { "Day \($0.day): \($0.centimeters) cm" } ?? "No report yet"
    }
  }
}

let model = SnowModel(store: ReportStore(), server: ResortServer())
for hour in 8...11 {
  Thread.sleep(forTimeInterval: 0.05)
  print("\(hour):00  \(model.headline.value)")
}
