// Symptom: The page "sold out" of our shop has a single line of text, and takes as long to come as
// the full pages with all their reviews. The warehouse answers at once, we measured that.
// Looks at: the page of a sold-out product ("page 4")

import Foundation

/// The old service of reviews, with callbacks.
final class ReviewService: Sendable {
  private let queue = DispatchQueue(label: "reviews")

  func reviews(of product: Int, completion: @escaping @Sendable ([String]) -> Void) {
    queue.asyncAfter(deadline: .now() + 0.3) {
      completion((1...20).map { "\($0 % 5 + 1) stars for \(product)" })
    }
  }

  func reviews(of product: Int) async -> [String] {
    await withCheckedContinuation { answer in
      reviews(of: product) { answer.resume(returning: $0) }
    }
  }
}

actor Warehouse {
  private let stock = [1: 12, 2: 3, 3: 40]

  func stock(of product: Int) async throws -> Int {
    try await Task.sleep(for: .milliseconds(5))
    return stock[product] ?? 0
  }
}

struct Shop: Sendable {
  let reviewService = ReviewService()
  let warehouse = Warehouse()

  func page(for product: Int) async throws -> String {
    // The reviews are slow, so they begin right away.
    async let reviews = reviewService.reviews(of: product)  // culprit
    let stock = try await warehouse.stock(of: product)
    guard stock > 0 else { return "Sold out." }
    return "\(stock) left, \(await reviews.count) reviews"
  }
}

let shop = Shop()
let clock = ContinuousClock()
for product in 2...5 {
  let begin = clock.now
  let text = try await Task(name: "page \(product)") { try await shop.page(for: product) }.value
  let duration = (clock.now - begin).formatted(.units(allowed: [.milliseconds]))
  print("page \(product): \(text) (\(duration))")
}
