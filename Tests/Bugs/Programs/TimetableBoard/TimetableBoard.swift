// Symptom: The train on platform 4 has been moved to platform 9. The board still says 4, and the
// station's own app says 9.
// Looks at: rows (the lines of the board)
import Foundation
import Varve

struct Departure {
  let train: String
  var time: String
  var platform: Int
  var minutesLate: Int

  /// What changes when passengers have to be told.
  var key: String { "\(train) \(time) \(minutesLate)" }
}

final class Station {
  let departures = MutableProperty([
    Departure(train: "RE 50", time: "14:02", platform: 4, minutesLate: 0),
    Departure(train: "S 1", time: "14:05", platform: 2, minutesLate: 0),
  ])

  func update(_ train: String, _ change: (inout Departure) -> Void) {
    departures.modify { list in
      guard let index = list.firstIndex(where: { $0.train == train }) else { return }
      change(&list[index])
    }
  }
}

final class Board {
  let rows: Property<[String]>

  init(_ station: Station) {
    rows = station.departures
      .skipRepeats { $0.map(\.key) == $1.map(\.key) }  // culprit
      .map { departures in
        departures.map { departure in
          let late = departure.minutesLate > 0 ? " +\(departure.minutesLate)" : ""
          return "\(departure.time)\(late) \(departure.train) platform \(departure.platform)"
        }
      }
  }
}

let station = Station()
let board = Board(station)
board.rows.producer.named("rows").startWithValues { print($0.joined(separator: "\n"), "\n") }

station.update("S 1") { $0.minutesLate = 5 }
station.update("RE 50") { $0.platform = 9 }
Thread.sleep(forTimeInterval: 0.05)
print("in the system: platform \(station.departures.value[0].platform)")
