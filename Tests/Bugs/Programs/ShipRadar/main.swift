// Symptom: There are four ships in the strait. The app needs more and more memory all day, and the
// counter says that there are hundreds.
// Looks at: the ships on the radar ("ships")

import Foundation
import Varve

struct Report {
  var message: Int
  var ship: String
  var miles: Double
}

final class Receiver {
  let reports: Signal<Report, Never>
  private let input: Signal<Report, Never>.Observer
  private var number = 0

  init() { (reports, input) = Signal.pipe(named: "reports") }

  func hear(_ ship: String, at miles: Double) {
    number += 1
    input.send(value: Report(message: number, ship: ship, miles: miles))
  }
}

final class Radar {
  let ships: Property<[String: Report]>
  let nearest: Property<String>

  init(_ receiver: Receiver) {
    ships = Property(
      initial: [:],
      then: receiver.reports
        .scan(into: [:]) { known, report in  // culprit
          known["\(report.ship)-\(report.message)"] = report
        }
        .named("ships"))
    nearest = ships.map { known in
      known.values.min { $0.miles < $1.miles }?.ship ?? "none"
    }
  }
}

let receiver = Receiver()
let radar = Radar(receiver)
let names = ["Aurora", "Brava", "Cygnus", "Dorade"]
for round in 1...60 {
  for (index, name) in names.enumerated() {
    receiver.hear(name, at: 12 - Double(round) / 10 + Double(index))
  }
  Thread.sleep(forTimeInterval: 0.005)
}
print("\(radar.ships.value.count) ships, nearest: \(radar.nearest.value)")
