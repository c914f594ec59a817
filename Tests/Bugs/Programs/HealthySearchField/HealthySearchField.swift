// Symptom: None. Results follow what is typed, and those of older queries are given up.
// Looks at: results (the list below the field)
import Foundation
import Varve

final class Catalogue: Sendable {
  private let queue = QueueScheduler(name: "catalogue")
  private let titles = ["apple", "apricot", "artichoke", "asparagus", "aubergine", "avocado"]

  func find(_ text: String) -> SignalProducer<[String], Never> {
    SignalProducer(value: titles.filter { $0.hasPrefix(text) })
      .delay(.milliseconds(text.count < 2 ? 80 : 25), on: queue)
  }
}

final class SearchModel {
  let text = MutableProperty("")
  let results: Property<[String]>
  let isEmpty: Property<Bool>

  init(_ catalogue: Catalogue, on scheduler: any TimedScheduler) {
    results = Property(
      initial: [],
      then: text.signal
        .debounce(.milliseconds(20), on: scheduler)
        .map { $0.lowercased() }
        .skipRepeats()
        .flatMap(.latest) { $0.isEmpty ? SignalProducer(value: []) : catalogue.find($0) }
        .observe(on: scheduler))
    isEmpty = results.map { $0.isEmpty }.skipRepeats()
  }
}

let interface = QueueScheduler(name: "interface")
let model = SearchModel(Catalogue(), on: interface)
model.results.signal.named("results").observeValues { print($0) }
model.isEmpty.signal.observeValues { print($0 ? "(nothing found)" : "(found)") }

for text in ["a", "ap", "app"] {
  model.text.value = text
  Thread.sleep(forTimeInterval: 0.05)
}
Thread.sleep(forTimeInterval: 0.1)
model.text.value = ""
Thread.sleep(forTimeInterval: 0.1)
model.text.value = "Av"
Thread.sleep(forTimeInterval: 0.15)
