// Symptom: While I type the name of a knot, the table sometimes shows half of an old list, and once
// it crashed. In the log it says that the interface was changed from a background thread.
// Looks at: the rows of the table ("rows")

import Foundation
import Varve

struct KnotBook {
  let knots = [
    "anchor bend", "bowline", "clove hitch", "cow hitch", "double bowline", "sheet bend",
  ]

  func matching(_ text: String) -> [String] {
    knots.filter { $0.contains(text.lowercased()) }
  }
}

final class TableView {
  private(set) var offMain = 0
  private(set) var rows: [String] = []

  func reload(_ rows: [String]) {
    if !Thread.isMainThread { offMain += 1 }
    self.rows = rows
  }
}

final class KnotScreen {
  let text = MutableProperty("", named: "text")
  let table = TableView()
  private(set) var placeholder = ""
  private let book = KnotBook()
  private let background = QueueScheduler(name: "background")

  func appear() {
    text.signal
      .debounce(.milliseconds(20), on: background)  // culprit
      .skipRepeats()
      .map { [book] in book.matching($0) }
      .named("rows")
      .observeValues { [table] in table.reload($0) }

    text.producer
      .map { $0.isEmpty ? "Which knot?" : "" }
      .startWithValues { [weak self] in self?.placeholder = $0 }
  }
}

let screen = KnotScreen()
screen.appear()
for prefix in ["b", "be", "ben", "bend"] {
  screen.text.value = prefix
  RunLoop.main.run(until: Date().addingTimeInterval(prefix.count == 2 ? 0.06 : 0.005))
}
RunLoop.main.run(until: Date().addingTimeInterval(0.1))
print(screen.table.rows, "drawn off the main thread: \(screen.table.offMain)")
