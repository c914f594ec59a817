// Symptom: For most books the page lists the offers of five shops. For some it says "no offers",
// though four of the shops have the book: I looked at their own sites.
// Looks at: the offers of a book ("Emma")

import Foundation

struct Offer: Sendable {
  let shop: String
  let cents: Int
}

struct OutOfStock: Error {
  let shop: String
}

struct Shop: Sendable {
  let name: String
  let delay: Int
  let prices: [String: Int]

  func offer(for book: String) async throws -> Offer {
    try await Task.sleep(for: .milliseconds(delay))
    guard let cents = prices[book] else { throw OutOfStock(shop: name) }
    return Offer(shop: name, cents: cents)
  }
}

struct Comparison: Sendable {
  let shops: [Shop]

  func offers(for book: String) async -> [Offer] {
    do {
      return try await withThrowingTaskGroup(of: Offer.self) { group in
        for shop in shops {
          group.addTask(name: shop.name) { try await shop.offer(for: book) }
        }
        var offers: [Offer] = []
        for try await offer in group { offers.append(offer) }  // culprit
        return offers.sorted { $0.cents < $1.cents }
      }
    } catch {
      return []
    }
  }
}

let comparison = Comparison(shops: [
  Shop(name: "Lesezeichen", delay: 30, prices: ["Emma": 899, "Dracula": 1_050, "Faust": 1_490]),
  Shop(name: "Page One", delay: 12, prices: ["Dracula": 990, "Faust": 1_390]),
  Shop(name: "Papyrus", delay: 45, prices: ["Emma": 1_100, "Dracula": 1_200, "Faust": 1_600]),
  Shop(name: "Eselsohr", delay: 60, prices: ["Emma": 450, "Dracula": 500, "Faust": 700]),
  Shop(name: "Folio", delay: 20, prices: ["Emma": 950, "Dracula": 980, "Faust": 1_400]),
])
for book in ["Dracula", "Emma", "Faust"] {
  let offers = await Task(name: book) { await comparison.offers(for: book) }.value
  let best = offers.first.map { "\($0.shop), \($0.cents) cents" } ?? "no offers"
  print("\(book): \(offers.count) shops, best: \(best)")
}
