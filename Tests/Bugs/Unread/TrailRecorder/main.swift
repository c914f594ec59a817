// Symptom: In the wood the recording of my walk stops, and it does not go on afterwards, although the
// app shows good reception for the rest of the day.
// Looks at: the recorded points ("track")

import Foundation
import Varve

struct Fix: Sendable {
  let metre: Double
  let accuracy: Double
}

final class LocationService: Sendable {
  let fixes: Signal<Fix, Never>
  private let input: Signal<Fix, Never>.Observer

  init() { (fixes, input) = Signal.pipe(named: "fixes") }

  func report(metre: Double, accuracy: Double) {
    input.send(value: Fix(metre: metre, accuracy: accuracy))
  }
}

/// Records a walk. Fixes that are off by more than 30 m would make the track jump.
final class TrailRecorder: Sendable {
  let points: Property<[Double]>
  let reception: Property<String>

  init(_ service: LocationService) {
    points = Property(
      initial: [],
      then: service.fixes
        .take(while: { $0.accuracy <= 30 })  // culprit
        .scan(into: []) { $0.append($1.metre) }
        .named("track"))
    reception = Property(
      initial: "no reception",
      then: service.fixes.map { $0.accuracy <= 30 ? "good reception" : "poor reception" })
  }

  var metres: Int { Int((points.value.last ?? 0) - (points.value.first ?? 0)) }
}

let service = LocationService()
let recorder = TrailRecorder(service)
for step in 0..<30 {
  let isInTheWood = (8...11).contains(step)
  service.report(metre: Double(step) * 42, accuracy: isInTheWood ? 65 : 8)
  Thread.sleep(forTimeInterval: 0.01)
  if step % 6 == 5 {
    let count = recorder.points.value.count
    print("\(recorder.reception.value), \(count) points, \(recorder.metres) m")
  }
}
