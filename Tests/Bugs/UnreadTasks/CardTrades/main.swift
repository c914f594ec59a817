// Symptom: When two collectors accept each other's offers in the same moment, both trades never
// end, and I must kill the app. If one of them is a little later, all is well.
// Looks at: one of the trades ("trade Ada")

import Foundation

struct Card: Sendable, Equatable {
  let name: String
  let year: Int
}

// Safety: `lock` guards `cards`.
final class Binder: @unchecked Sendable {
  let owner: String
  private let lock = NSLock()
  private var cards: [Card]

  init(owner: String, cards: [Card]) {
    self.owner = owner
    self.cards = cards
  }

  var count: Int {
    lock.lock()
    defer { lock.unlock() }
    return cards.count
  }

  /// Nobody may see the card in both binders, or in none.
  func give(_ card: Card, to other: Binder) -> Bool {
    lock.lock()
    defer { lock.unlock() }
    guard let index = cards.firstIndex(of: card) else { return false }
    writeDeed(of: card)
    other.lock.lock()  // culprit
    defer { other.lock.unlock() }
    other.cards.append(cards.remove(at: index))
    return true
  }

  private func writeDeed(of card: Card) {
    Thread.sleep(forTimeInterval: 0.04)
  }
}

struct Market: Sendable {
  func accept(_ card: Card, from giver: Binder, to taker: Binder) async -> String {
    giver.give(card, to: taker)
      ? "\(taker.owner) has got \(card.name)" : "\(giver.owner) has no \(card.name)"
  }
}

let market = Market()
let dragon = Card(name: "Dragon", year: 1998)
let knight = Card(name: "Knight", year: 2003)
let ada = Binder(owner: "Ada", cards: [dragon, Card(name: "Elf", year: 2001)])
let ben = Binder(owner: "Ben", cards: [knight])

print(await market.accept(Card(name: "Elf", year: 2001), from: ada, to: ben))
print("the two trade")
let first = Task(name: "trade Ada") { await market.accept(dragon, from: ada, to: ben) }
let second = Task(name: "trade Ben") { await market.accept(knight, from: ben, to: ada) }
print(await first.value)
print(await second.value)
print("\(ada.owner) has \(ada.count), \(ben.owner) has \(ben.count)")
