// Symptom: The distance of a run stays at zero, however far one runs.
// Looks at: distance (the metres of the run)

import Foundation
import Varve

struct Fix: Sendable {
  let metres: Int
}

final class LocationService: Sendable {
  private let satellites = QueueScheduler(name: "satellites")

  func fixes() -> SignalProducer<Fix, Never> {
    SignalProducer.interval(.milliseconds(15), on: satellites)
      .map { Fix(metres: 3 + $0 % 2) }
      .named("fixes")
  }
}

final class Jog: Sendable {
  enum Phase: Sendable {
    case ready, running, finished
  }

  let phase = MutableProperty(Phase.ready, named: "phase")
  let distance = MutableProperty(0, named: "distance")
  private let location = LocationService()

  func begin() {
    phase.value = .running
    distance
      <~ location.fixes()
      .take(until: phase.producer.map { _ in () })  // culprit
      .scan(0) { $0 + $1.metres }
  }

  func finish() {
    phase.value = .finished
  }
}

let jog = Jog()
jog.begin()
for lap in 1...3 {
  Thread.sleep(forTimeInterval: 0.07)
  print("lap \(lap): \(jog.distance.value) m")
}
jog.finish()
print("\(jog.phase.value): \(jog.distance.value) m")
