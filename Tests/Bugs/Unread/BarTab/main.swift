// Symptom: The guests of table 9 have ordered five times. Their tab on the screen behind the bar
// says 0.00 all evening, and the waiter adds it up by hand.
// Looks at: total (the sum on the tab)
import Foundation
import Varve

struct Drink: Sendable {
  let name: String
  let cents: Int
}

final class Terminal {
  let orders: Signal<(table: Int, drink: Drink), Never>
  private let input: Signal<(table: Int, drink: Drink), Never>.Observer
  private let prices = ["beer": 450, "cider": 520, "water": 210, "pretzel": 300]

  init() { (orders, input) = Signal.pipe() }

  func order(_ name: String, for table: Int) {
    guard let cents = prices[name] else { return }
    input.send(value: (table, Drink(name: name, cents: cents)))
  }
}

final class Tab {
  let table: Int
  let drinks = MutableProperty<[String]>([])
  let total = MutableProperty(0)

  init(of table: Int, at terminal: Terminal) {
    self.table = table
    let mine = terminal.orders.filter { $0.table == table }.map(\.drink)
    drinks <~ mine.map(\.name).scan([]) { $0 + [$1] }
    total
      <~ mine
      .map(\.cents)
      .reduce(0) { $0 + $1 }  // culprit
      .named("total")
  }

  var line: String {
    let sum = Double(total.value) / 100
    return "table \(table): \(drinks.value.joined(separator: ", ")): " + String(format: "%.2f", sum)
  }
}

let terminal = Terminal()
let tabs = [4, 9].map { Tab(of: $0, at: terminal) }
for (name, table) in [
  ("beer", 9), ("cider", 9), ("water", 4), ("beer", 9), ("pretzel", 9), ("beer", 4), ("water", 9),
] {
  terminal.order(name, for: table)
  Thread.sleep(forTimeInterval: 0.03)
}
for tab in tabs { print(tab.line) }
