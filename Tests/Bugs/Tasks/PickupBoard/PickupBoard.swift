// Symptom: Since the loudspeaker calls the numbers that are ready, the board above the counter
// shows only some of them. Those that are called are not on the board.
// Looks at: the board ("board")

import Foundation

struct Order: Sendable {
  let number: Int
  let dishes: Int
}

final class Kitchen: Sendable {
  /// The orders that are ready.
  let ready: AsyncStream<Int>
  private let bell: AsyncStream<Int>.Continuation

  init() { (ready, bell) = AsyncStream.makeStream(of: Int.self) }

  func cook(_ orders: [Order]) async {
    for order in orders {
      try? await Task.sleep(for: .milliseconds(6 * order.dishes))
      bell.yield(order.number)
    }
    bell.finish()
  }
}

actor Board {
  private(set) var numbers: [Int] = []

  func show(_ number: Int) { numbers.append(number) }
}

actor Loudspeaker {
  private(set) var called: [Int] = []

  func call(_ number: Int) async {
    try? await Task.sleep(for: .milliseconds(2))
    called.append(number)
  }
}

struct Restaurant: Sendable {
  let kitchen = Kitchen()
  let board = Board()
  let loudspeaker = Loudspeaker()

  func open(for orders: [Order]) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask(name: "board") {
        for await number in kitchen.ready { await board.show(number) }
      }
      group.addTask(name: "loudspeaker") {
        for await number in kitchen.ready { await loudspeaker.call(number) }  // culprit
      }
      group.addTask(name: "kitchen") { await kitchen.cook(orders) }
    }
  }
}

let restaurant = Restaurant()
await restaurant.open(for: (41...60).map { Order(number: $0, dishes: 1 + $0 % 3) })
print("on the board: \(await restaurant.board.numbers)")
print("called:       \(await restaurant.loudspeaker.called)")
