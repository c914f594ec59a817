// Symptom: The longer the waiter goes from table to table, the more memory the app needs. In the
// evening it is restarted.
// Looks at: the orders of the house ("orders")

import Foundation
import Varve

struct Order {
  let table: Int
  let dish: String
}

final class Kitchen {
  let orders = MutableProperty<[Order]>([], named: "orders")
}

final class TableScreen {
  static var alive = 0

  let badge = MutableProperty("", named: "badge")
  private let table: Int
  private let history = [UInt8](repeating: 0, count: 4_096)

  init(table: Int, kitchen: Kitchen) {
    self.table = table
    Self.alive += 1
    badge <~ kitchen.orders.producer.map { self.label(for: $0) }  // culprit
  }

  private func label(for orders: [Order]) -> String {
    let open = orders.filter { $0.table == table }.count
    return open == 0 ? "" : "\(open)"
  }

  deinit { Self.alive -= 1 }
}

final class Waiter {
  private let kitchen: Kitchen
  private var screen: TableScreen?

  init(kitchen: Kitchen) { self.kitchen = kitchen }

  func visit(_ table: Int) {
    screen = TableScreen(table: table, kitchen: kitchen)
    kitchen.orders.modify { $0.append(Order(table: table, dish: "soup")) }
  }
}

let kitchen = Kitchen()
let waiter = Waiter(kitchen: kitchen)
for round in 0..<60 {
  waiter.visit(round % 12)
  Thread.sleep(forTimeInterval: 0.01)
}
print("screens alive: \(TableScreen.alive)")
