// Symptom: The guests at table 7 can order once with the code on their table. When they want a second
// round they press "order" and nothing comes to the bar.
// Looks at: the orders of a table ("orders")

import Foundation
import Varve

enum TableEvent: Sendable, Equatable {
  case scanned(table: Int)
  case ordered(table: Int, drinks: [String])
  case paid(table: Int)

  var table: Int {
    switch self {
    case .scanned(let table), .ordered(let table, _), .paid(let table): table
    }
  }
}

final class Bar: Sendable {
  let queue = MutableProperty<[String]>([])

  func pour(_ drinks: [String], for table: Int) {
    queue.modify { $0.append("table \(table): " + drinks.joined(separator: " + ")) }
  }
}

final class TableSession: Sendable {
  private let lifetime = CompositeDisposable()

  init(table: Int, events: Signal<TableEvent, Never>, bar: Bar) {
    let own = events.filter { $0.table == table }
    let paid = own.filter { $0 == .paid(table: table) }.map { _ in () }
    lifetime +=
      own
      .compactMap { event -> [String]? in
        guard case .ordered(_, let drinks) = event else { return nil }
        return drinks
      }
      .take(until: paid)
      .take(first: 1)  // culprit
      .named("orders")
      .observeValues { bar.pour($0, for: table) }
  }

  deinit { lifetime.dispose() }
}

let (events, input) = Signal<TableEvent, Never>.pipe()
let bar = Bar()
var sessions: [Int: TableSession] = [:]

func scan(_ table: Int) {
  sessions[table] = TableSession(table: table, events: events, bar: bar)
  input.send(value: .scanned(table: table))
}

func order(_ table: Int, _ drinks: String...) {
  print("table \(table) orders \(drinks.joined(separator: ", "))")
  input.send(value: .ordered(table: table, drinks: drinks))
  Thread.sleep(forTimeInterval: 0.03)
}

scan(7)
order(7, "beer", "lemonade")
scan(3)
order(3, "coffee")
order(7, "beer", "beer")
order(7, "water")
for table in [3, 7] { input.send(value: .paid(table: table)) }
print("the bar has poured:")
for line in bar.queue.value { print(" ", line) }
