// Symptom: In the evening the app of the dispatcher is big and slow, although there are never more
// than ten parcels on the road at a time. After a restart it is quick again.
// Looks at: the lines of the list ("lines")

import Foundation
import Varve

struct Scan {
  enum Kind { case pickedUp, onTheRoad, delivered }

  var parcel: Int
  var kind: Kind
}

struct Line {
  var parcel: Int
  var text: String
}

final class Depot {
  let scans: Signal<Scan, Never>
  let minutes: Signal<Int, Never>
  private let scanner: Signal<Scan, Never>.Observer
  private let clock: Signal<Int, Never>.Observer

  init() {
    (scans, scanner) = Signal.pipe()
    (minutes, clock) = Signal.pipe()
  }

  func scan(_ parcel: Int, _ kind: Scan.Kind) {
    scanner.send(value: Scan(parcel: parcel, kind: kind))
  }

  func minute(_ number: Int) { clock.send(value: number) }
}

final class DispatchModel {
  private(set) var updates = 0
  private(set) var lines: [Int: String] = [:]

  init(depot: Depot) {
    depot.scans
      .groupBy { $0.parcel }
      .flatMap(.merge) { group in  // culprit
        SignalProducer.combineLatest(group.producer, depot.minutes.producer)
          .map { scan, minute in Line(parcel: group.key, text: "\(scan.kind), minute \(minute)") }
      }
      .named("lines")
      .observeValues { [weak self] line in
        self?.updates += 1
        self?.lines[line.parcel] = line.text.hasPrefix("delivered") ? nil : line.text
      }
  }
}

let depot = Depot()
let model = DispatchModel(depot: depot)
for minute in 1...300 {
  depot.scan(minute, .pickedUp)
  if minute > 4 { depot.scan(minute - 4, .onTheRoad) }
  if minute > 8 { depot.scan(minute - 8, .delivered) }
  let before = model.updates
  depot.minute(minute)
  if minute.isMultiple(of: 75) {
    print("minute \(minute): \(model.lines.count) parcels, \(model.updates - before) updates")
  }
}
