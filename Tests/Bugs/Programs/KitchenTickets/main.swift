// Symptom: In the evening the screen in the kitchen shows no more orders, although the waiters keep
// taking them. At noon everything was right.
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

/// The terminal of a waiter: it is switched off at the end of his turn.
final class Terminal: Sendable {
  let announcements: Signal<Announcement, Never>
  private let input: Signal<Announcement, Never>.Observer

  init() { (announcements, input) = Signal.pipe() }

  func announce(_ announcement: Announcement) { input.send(value: announcement) }
  func switchOff() { input.sendCompleted() }
}

final class Counter: Sendable {
  let orders: Signal<Order, Never>
  private let input: Signal<Order, Never>.Observer

  init() { (orders, input) = Signal.pipe() }

  func take(_ dishes: String..., for table: Int) {
    input.send(value: Order(table: table, dishes: dishes))
  }
}

final class KitchenScreen: Sendable {
  let open = MutableProperty<[String]>([])

  init(_ counter: Counter, head: Terminal) {
    let closing = head.announcements.filter { $0 == .closed }.map { _ in () }
    open
      <~ counter.orders
      .filter { !$0.dishes.isEmpty }
      .take(until: closing)  // culprit
      .map { "table \($0.table): \($0.dishes.joined(separator: ", "))" }
      .scan(into: []) { $0.append($1) }
      .named("tickets")
  }
}

let counter = Counter()
let noon = Terminal()
let evening = Terminal()
let screen = KitchenScreen(counter, head: noon)
screen.open.signal.observeValues { print("\($0.count): \($0.last ?? "")") }
counter.take("soup", "trout", for: 4)
counter.take("dumplings", for: 7)
noon.announce(.pause)
Thread.sleep(forTimeInterval: 0.05)
counter.take("salad", for: 2)
noon.switchOff()
Thread.sleep(forTimeInterval: 0.05)
counter.take("venison", "dumplings", for: 1)
evening.announce(.lastOrders)
counter.take("cheese", for: 1)
evening.announce(.closed)
Thread.sleep(forTimeInterval: 0.05)
print("cooked: \(screen.open.value.count) of 5")
