// Symptom: none. The screen in the kitchen shows the orders until the kitchen closes. Who orders
// after that gets nothing, and the waiter is told so.
// Looks at: tickets (the orders on the screen)
import Foundation
import Varve

struct Order: Sendable {
  let table: Int
  let dishes: [String]
}

enum Announcement: Sendable {
  case pause, lastOrders, closed
}

final class Terminal: Sendable {
  let announcements: Signal<Announcement, Never>
  let orders: Signal<Order, Never>
  private let speak: Signal<Announcement, Never>.Observer
  private let input: Signal<Order, Never>.Observer

  init() {
    (announcements, speak) = Signal.pipe()
    (orders, input) = Signal.pipe()
  }

  func announce(_ announcement: Announcement) { speak.send(value: announcement) }
  func order(_ dishes: String..., for table: Int) {
    input.send(value: Order(table: table, dishes: dishes))
  }
}

final class KitchenScreen: Sendable {
  let open = MutableProperty<[String]>([])
  let warning = MutableProperty<String?>(nil)
  let printed = MutableProperty(0)

  init(_ terminal: Terminal) {
    let closing = terminal.announcements.filter { $0 == .closed }.map { _ in () }
    let orders = terminal.orders.filter { !$0.dishes.isEmpty }
    open
      <~ orders
      .take(until: closing)
      .map { "table \($0.table): \($0.dishes.joined(separator: ", "))" }
      .scan(into: []) { $0.append($1) }
      .named("tickets")
    warning <~ orders.skip(until: closing).map { "too late for table \($0.table)" }
    printed <~ open.signal.map(\.count).skipRepeats()
  }
}

let terminal = Terminal()
let screen = KitchenScreen(terminal)
screen.open.signal.observeValues { print("\($0.count): \($0.last ?? "")") }
screen.warning.signal.skipNil().observeValues { print($0) }
terminal.order("soup", "trout", for: 4)
terminal.announce(.pause)
terminal.order(for: 9)
Thread.sleep(forTimeInterval: 0.1)
terminal.order("salad", for: 2)
terminal.announce(.lastOrders)
terminal.order("cheese", for: 1)
terminal.announce(.closed)
Thread.sleep(forTimeInterval: 0.15)
terminal.order("venison", for: 6)
terminal.order("ice cream", for: 4)
print("cooked: \(screen.open.value.count) of 3")
