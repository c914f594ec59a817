// Symptom: The dog runs through the park and the map shows it where it was at the start. Only when its
// battery changes by a percent does the dog jump to where it is.
// Looks at: the dog on the map ("marker")
import Foundation
import Varve

struct Collar {
  let dog: String
  let battery: Int
  let east: Double
  let north: Double
}

final class Beacon {
  let reports: Signal<Collar, Never>
  private let radio: Signal<Collar, Never>.Observer
  private let queue = QueueScheduler(name: "beacon")

  init() { (reports, radio) = Signal.pipe(named: "reports") }

  func walk(_ dog: String, steps: Int) {
    for step in 1...steps {
      queue.schedule(after: .milliseconds(12 * step)) { [radio] in
        radio.send(
          value: Collar(
            dog: dog, battery: 90 - step / 5, east: Double(step) * 4, north: Double(step) * 1.5))
      }
    }
  }
}

final class ParkMap {
  let marker = MutableProperty<(Double, Double)>((0, 0))

  init(_ beacon: Beacon) {
    marker
      <~ beacon.reports
      .skipRepeats { $0.dog == $1.dog && $0.battery == $1.battery }  // culprit
      .map { ($0.east, $0.north) }
      .named("marker")
  }
}

let beacon = Beacon()
let map = ParkMap(beacon)
map.marker.signal.observeValues { print("marker at \($0.0), \($0.1)") }
beacon.walk("Muffin", steps: 14)
Thread.sleep(forTimeInterval: 0.25)
print("at the end: \(map.marker.value)")
