// Symptom: Sometimes the label under the dome tears or crashes while I turn the dial: it is changed
// from a background thread.
// Looks at: the text of the label ("label")

import Foundation
import Varve

final class Dial {
  let angle = MutableProperty(0)
}

final class Label {
  var text = "" {
    didSet {
      if !Thread.isMainThread { print("label changed off the main thread: \(text)") }
    }
  }
}

final class Catalog: Sendable {
  private let stars = ["Vega", "Altair", "Deneb", "Mizar", "Rigel"]

  func star(at angle: Int) -> String { stars[angle / 72 % stars.count] }
}

final class DomeModel {
  private let index = QueueScheduler(name: "index")
  private let token = Lifetime.Token()

  init(_ dial: Dial, catalog: Catalog, label: Label) {
    dial.angle.signal
      .skipRepeats()
      .debounce(.milliseconds(30), on: index)  // culprit
      .map { catalog.star(at: $0) }
      .named("label")
      .take(during: Lifetime(token))
      .observeValues { label.text = $0 }
  }
}

let dial = Dial()
let label = Label()
let dome = DomeModel(dial, catalog: Catalog(), label: label)
for turn in 1...4 {
  for step in 1...3 { dial.angle.value = (turn * 72 + step) % 360 }
  RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.08))
}
print(label.text)
