// Symptom: The app crashes now and then while I am in the shop: always when I tick something off,
// and the prices in the list are just being updated.
// Looks at: the update of the prices ("prices")

import Foundation

struct Item: Sendable {
  let name: String
  var cents = 0
}

struct PriceService: Sendable {
  private let cents = ["bread": 320, "milk": 140, "leek": 190, "rice": 260, "plums": 410]

  func price(of name: String) async -> Int {
    try? await Task.sleep(for: .milliseconds(30))
    return cents[name] ?? 0
  }
}

@MainActor
final class GroceryList {
  private let service = PriceService()
  private(set) var items: [Item]

  init(_ names: [String]) { items = names.map { Item(name: $0) } }

  var total: Int { items.reduce(0) { $0 + $1.cents } }

  func updatePrices() async {
    for index in items.indices {
      items[index].cents = await service.price(of: items[index].name)  // culprit
    }
  }

  func tickOff(_ name: String) {
    items.removeAll { $0.name == name }
  }
}

let list = GroceryList(["bread", "milk", "leek", "rice", "plums"])
let first = Task(name: "prices") { await list.updatePrices() }
await first.value
print("\(list.items.count) things to buy, \(list.total) cents")

let second = Task(name: "prices") { await list.updatePrices() }
for name in ["milk", "leek"] {
  try await Task.sleep(for: .milliseconds(20))
  list.tickOff(name)
  print("\(name) is in the basket")
}
await second.value
print("\(list.items.count) things to buy, \(list.total) cents")
