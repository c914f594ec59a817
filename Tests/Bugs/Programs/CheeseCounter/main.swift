// Symptom: For every piece the printer makes two labels; on the first one is the price of the piece before.
// Looks at: labels (the labels that are printed)
import Foundation
import Varve

struct Cheese {
  let name: String
  let centsPerKilo: Int
}

final class Scale {
  let grams = MutableProperty(0)
}

final class Counter {
  let labels: Signal<String, Never>
  let cheese: Cheese

  init(_ scale: Scale, cheese: Cheese) {
    self.cheese = cheese
    let net = scale.grams.signal
      .map { max($0 - 4, 0) }
      .skipRepeats()
    let price = scale.grams.signal
      .map { max($0 - 4, 0) * cheese.centsPerKilo / 1_000 }
      .skipRepeats()
    labels = Signal.combineLatest(net, price)  // culprit
      .filter { $0.0 > 0 }
      .map { grams, cents in "\(cheese.name)  \(grams) g  \(cents) ct" }
      .named("labels")
  }
}

let scale = Scale()
let counter = Counter(scale, cheese: Cheese(name: "Tilsiter", centsPerKilo: 1_890))
var roll: [String] = []
counter.labels.observeValues { roll.append($0) }
for grams in [254, 0, 512, 0, 178, 0, 306] {
  scale.grams.value = grams
  Thread.sleep(forTimeInterval: 0.02)
}
roll.forEach { print($0) }
