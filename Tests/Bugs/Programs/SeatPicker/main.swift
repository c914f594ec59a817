// Symptom: When I switch from the balcony to the stalls, the price flashes as "not available" and
// the page jumps, then it is right.
// Looks at: the price beside the seat ("price tag")

import Foundation
import Varve

enum Area: String {
  case stalls
  case balcony
  case box
}

struct Seat {
  var area: Area
  var row: Int
}

struct Hall {
  let prices: [Area: [Int: Int]] = [
    .stalls: [1: 40, 2: 38, 3: 36],
    .balcony: [11: 25, 12: 22],
    .box: [21: 90],
  ]
}

final class SeatModel {
  let selection: Signal<Seat, Never>
  private let input: Signal<Seat, Never>.Observer
  private(set) var tags: [String] = []

  init(hall: Hall) {
    (selection, input) = Signal.pipe()
    let area = selection.map { $0.area }.skipRepeats()
    let row = selection.map { $0.row }
    Signal.combineLatest(area, row)  // culprit
      .map { area, row -> String in
        guard let price = hall.prices[area]?[row] else { return "not available" }
        return "\(area.rawValue), row \(row): \(price) €"
      }
      .skipRepeats()
      .named("price tag")
      .observeValues { [unowned self] in tags.append($0) }
  }

  func pick(_ area: Area, row: Int) { input.send(value: Seat(area: area, row: row)) }
}

let model = SeatModel(hall: Hall())
model.pick(.balcony, row: 11)
Thread.sleep(forTimeInterval: 0.05)
model.pick(.balcony, row: 12)
Thread.sleep(forTimeInterval: 0.05)
model.pick(.stalls, row: 2)
Thread.sleep(forTimeInterval: 0.05)
model.pick(.box, row: 21)
Thread.sleep(forTimeInterval: 0.05)
print(model.tags.joined(separator: "\n"))
