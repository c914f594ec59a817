// Symptom: None; this works.
// Looks at: the action that exports ("export")

import Foundation
import Varve

enum ExportError: Error, Equatable {
  case diskFull
}

final class Exporter {
  private let queue = QueueScheduler(name: "exporter")
  private let room = 3_000

  func export(_ pages: [Int]) -> SignalProducer<Int, ExportError> {
    SignalProducer<Int, ExportError>(pages)
      .flatMap(.concat) { [queue] page in
        SignalProducer<Int, ExportError>(value: page).delay(.milliseconds(3), on: queue)
      }
      .attempt { [room] page in page > room ? .failure(.diskFull) : .success(()) }
  }
}

final class ExportModel {
  let export: Action<[Int], Int, ExportError>
  let pages = MutableProperty(0)
  let message = MutableProperty("")
  private let ui = QueueScheduler(name: "ui")

  init(exporter: Exporter) {
    let pages = self.pages
    export = Action(named: "export") { exporter.export($0) }
    pages
      <~ export.values
      .map { _ in 1 }
      .scan(0) { $0 + $1 }
      .observe(on: ui)
    message
      <~ Signal.merge(
        export.errors.map { _ in "The disk is full." },
        export.completed.map { "Done." }
      )
      .observe(on: ui)
  }

  func press(_ pages: [Int]) { export.apply(pages).start() }
}

let model = ExportModel(exporter: Exporter())
for job in [Array(1...12), Array(1...30), [1, 2, 9_999, 4], Array(5...9)] {
  model.press(job)
  Thread.sleep(forTimeInterval: 0.25)
  print("\(model.pages.value) pages so far. \(model.message.value)")
}
