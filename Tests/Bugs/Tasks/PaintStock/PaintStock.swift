// Symptom: The stock of a colour is far too low: it is that of a single store house.
// Looks at: the stock ("stock of ochre")

import Foundation

struct StoreHouse: Sendable {
  let town: String
  let tins: [String: Int]

  func count(_ colour: String) async -> Int {
    try? await Task.sleep(for: .milliseconds(10 + town.count * 4))
    return tins[colour] ?? 0
  }
}

struct Inventory: Sendable {
  let houses: [StoreHouse]

  func stock(of colour: String) async -> Int {
    await withTaskGroup(of: Int.self) { counts in
      for house in houses {
        counts.addTask(name: "count in \(house.town)") { await house.count(colour) }
      }
      var total = 0
      if let tins = await counts.next() {  // culprit
        total += tins
      }
      return total
    }
  }
}

let inventory = Inventory(houses: [
  StoreHouse(town: "Leeds", tins: ["ochre": 12, "teal": 3]),
  StoreHouse(town: "Bath", tins: ["ochre": 4, "teal": 9]),
  StoreHouse(town: "Sheffield", tins: ["ochre": 31]),
])
for (colour, needed) in [("ochre", 20), ("teal", 8)] {
  let count = Task(name: "stock of \(colour)") { await inventory.stock(of: colour) }
  let tins = await count.value
  print("\(colour): \(tins) tins\(tins < needed ? ", order more" : "")")
}
