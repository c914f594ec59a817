// Symptom: none. Grams and ounces follow each other in both directions and come to rest, and the
// feeder keeps itself alive only while it feeds.
// Looks at: the portion in grams ("grams")

import Foundation
import Varve

final class PortionForm {
  let grams = MutableProperty(0, named: "grams")
  let ounces = MutableProperty(0, named: "ounces")

  init() {
    ounces <~ grams.signal.skipRepeats().map { Int((Double($0) / 28.35).rounded()) }
    grams
      <~ ounces.signal.skipRepeats()
      .withLatest(from: grams.producer)
      .filter { ounces, grams in Int((Double(grams) / 28.35).rounded()) != ounces }
      .map { ounces, _ in Int((Double(ounces) * 28.35).rounded()) }
      .observe(on: QueueScheduler.main)
  }
}

final class Feeder {
  static var alive = 0

  let bowl = MutableProperty(0, named: "bowl")
  private let motor = QueueScheduler(name: "motor")
  private let running = SerialDisposable()

  init() { Self.alive += 1 }

  func feed(_ portion: Int) {
    running.inner = SignalProducer.interval(.milliseconds(5), on: motor)
      .take(first: 10)
      .startWithValues { step in
        self.bowl.value = portion * (step + 1) / 10
      }
  }

  deinit {
    running.dispose()
    Self.alive -= 1
  }
}

let form = PortionForm()
for dog in ["Rex", "Bella", "Strolch"] {
  let feeder = Feeder()
  form.grams.value += 100
  form.ounces.value += 1
  RunLoop.main.run(until: Date().addingTimeInterval(0.02))
  feeder.feed(form.grams.value)
  RunLoop.main.run(until: Date().addingTimeInterval(0.1))
  print("\(dog): \(feeder.bowl.value) g, \(form.ounces.value) oz")
}
print("feeders alive: \(Feeder.alive)")
