// Symptom: None; this works.
// Looks at: the swaps ("swap")

import Foundation

// Safety: `lock` guards `cards`.
final class Binder: @unchecked Sendable {
  let number: Int
  private let lock = NSLock()
  private var cards: [String]

  init(number: Int, cards: [String]) {
    self.number = number
    self.cards = cards
  }

  var count: Int {
    lock.lock()
    defer { lock.unlock() }
    return cards.count
  }

  /// The binder of the smaller number is locked first, whoever begins.
  func swap(with other: Binder) -> Bool {
    guard number != other.number else { return false }
    let (first, second) = number < other.number ? (self, other) : (other, self)
    first.lock.lock()
    defer { first.lock.unlock() }
    Thread.sleep(forTimeInterval: 0.003)
    second.lock.lock()
    defer { second.lock.unlock() }
    guard !cards.isEmpty, !other.cards.isEmpty else { return false }
    let mine = cards.removeFirst()
    cards.append(other.cards.removeFirst())
    other.cards.append(mine)
    return true
  }
}

struct Fair: Sendable {
  let binders = (1...4).map { number in
    Binder(number: number, cards: (1...6).map { "\(number)/\($0)" })
  }

  func open(swaps: Int) async -> Int {
    await withTaskGroup(of: Bool.self) { group in
      for swap in 0..<swaps {
        let giver = binders[swap % 4]
        let taker = binders[(swap * 3 + 1) % 4]
        group.addTask(name: "swap") { giver.swap(with: taker) }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
  }
}

let fair = Fair()
print("\(await fair.open(swaps: 60)) cards swapped")
print("cards: \(fair.binders.map(\.count))")
