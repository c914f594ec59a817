// Symptom: I rename a bed twice, quickly; the label keeps the first of the two names.
// Looks at: the name on the label (the property "label")

import Foundation
import Varve

struct Rename {
  var bed: Int
  var name: String
}

final class LabelPrinter {
  private let cloud = QueueScheduler(name: "cloud")

  /// Long names are looked up in the dictionary of botany first.
  func confirm(_ rename: Rename) -> SignalProducer<String, Never> {
    SignalProducer(value: rename.name)
      .delay(.milliseconds(rename.name.count > 12 ? 90 : 15), on: cloud)
  }
}

final class GardenBed {
  let label = MutableProperty("empty", named: "label")
  private let printer = LabelPrinter()

  func rename(to name: String) {
    label <~ printer.confirm(Rename(bed: 3, name: name))  // culprit
  }
}

let bed = GardenBed()
bed.label.signal.observeValues { print("label: \($0)") }
bed.rename(to: "Brassica oleracea")
Thread.sleep(forTimeInterval: 0.02)
bed.rename(to: "Kale")
Thread.sleep(forTimeInterval: 0.3)
print("I wanted Kale, the label says \(bed.label.value)")
