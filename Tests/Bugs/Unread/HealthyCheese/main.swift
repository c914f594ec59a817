// Symptom: None. One label a piece, with its weight and its price; the day's takings are right.
// Looks at: labels (the labels that are printed)
import Foundation
import Varve

struct Piece: Equatable {
  let grams: Int
  let cents: Int
}

final class Scale {
  let grams = MutableProperty(0)
}

final class Counter {
  let rate = MutableProperty(1_890)
  let labels: Signal<Piece, Never>
  let takings: Property<Int>

  init(_ scale: Scale) {
    labels = scale.grams.signal
      .withLatest(from: rate.producer)
      .map { grams, rate in
        let net = max(grams - 4, 0)
        return Piece(grams: net, cents: net * rate / 1_000)
      }
      .skipRepeats()
      .filter { $0.grams > 0 }
      .named("labels")
    takings = Property(initial: 0, then: labels.producer.scan(0) { $0 + $1.cents })
  }
}

let scale = Scale()
let counter = Counter(scale)
counter.labels.observeValues { print("\($0.grams) g  \($0.cents) ct") }
for grams in [254, 254, 0, 512, 0, 178, 0, 306] {
  scale.grams.value = grams
  Thread.sleep(forTimeInterval: 0.02)
}
counter.rate.value = 1_690
scale.grams.value = 404
print("today: \(counter.takings.value) ct")
