// Symptom: I changed the settings to miles. The distance of my run goes on in kilometres until I
// restart the app; the settings do say miles.
// Looks at: distance (the large number)
import Foundation
import Varve

enum Unit: String {
  case kilometres = "km"
  case miles = "mi"

  var metres: Double { self == .miles ? 1_609.344 : 1_000 }
}

final class Settings: Sendable {
  let unit = MutableProperty(Unit.kilometres)
  let showsSeconds = MutableProperty(false)
}

final class Tracker {
  let metres = MutableProperty(0.0)
  private let gps = QueueScheduler(name: "gps")

  func run(steps: Int) {
    metres
      <~ SignalProducer.interval(1...steps, interval: .milliseconds(15), on: gps)
      .map { Double($0) * 85 }
  }
}

final class RunScreen {
  let distance: Property<String>
  let pace: Property<String>

  init(_ tracker: Tracker, _ settings: Settings) {
    let unit = settings.unit.value  // culprit
    distance = tracker.metres
      .map { String(format: "%.2f %@", $0 / unit.metres, unit.rawValue as NSString) }
    pace = tracker.metres.combineLatest(with: settings.showsSeconds)
      .map { metres, showsSeconds in
        let seconds = metres * 0.33
        return showsSeconds ? "\(Int(seconds)) s" : "\(Int(seconds / 60)) min"
      }
  }
}

let settings = Settings()
let tracker = Tracker()
let screen = RunScreen(tracker, settings)
screen.distance.signal.named("distance").observeValues { print($0) }
tracker.run(steps: 12)
Thread.sleep(forTimeInterval: 0.08)
settings.unit.value = .miles
settings.showsSeconds.value = true
print("unit in the settings: \(settings.unit.value.rawValue)")
Thread.sleep(forTimeInterval: 0.2)
print("\(screen.distance.value) in \(screen.pace.value)")
