// Symptom: The page that compares insurers says Alba wants 295 € for my car. When I order there,
// the contract says 410 €. The prices are real, they only seem to stand beside other names.
// Looks at: the comparison of the prices

import Foundation

struct Insurer: Sendable {
  var name: String
  var price: Int
  var milliseconds: Int
}

struct QuoteService: Sendable {
  func price(of insurer: Insurer) async throws -> Int {
    try await Task.sleep(for: .milliseconds(insurer.milliseconds))
    return insurer.price
  }
}

struct ComparisonPage: Sendable {
  let service = QuoteService()

  func prices(of insurers: [Insurer]) async throws -> [Int] {
    try await withThrowingTaskGroup(of: Int.self) { group in
      for insurer in insurers {
        group.addTask { try await service.price(of: insurer) }
      }
      var prices: [Int] = []
      for try await price in group {
        prices.append(price)  // culprit
      }
      return prices
    }
  }

  func show(_ insurers: [Insurer]) async throws {
    let prices = try await prices(of: insurers)
    for (insurer, price) in zip(insurers, prices) {
      print("\(insurer.name): \(price) € a year")
    }
  }
}

let insurers = [
  Insurer(name: "Alba", price: 410, milliseconds: 90),
  Insurer(name: "Borealis", price: 295, milliseconds: 20),
  Insurer(name: "Castor", price: 352, milliseconds: 55),
]
try await ComparisonPage().show(insurers)
print("ordered from Alba: \(try await QuoteService().price(of: insurers[0])) € a year")
