// Symptom: The total at the till is too low: of my 20 articles only a few are on the receipt.
// Looks at: the till ("till")

import Foundation

struct Article: Sendable {
  var code: Int
  var cents: Int
}

/// The hand scanner; it tells its readings on a thread of its own.
final class HandScanner: Sendable {
  let articles: AsyncStream<Article>
  private let input: AsyncStream<Article>.Continuation

  init() {
    (articles, input) = AsyncStream.makeStream(
      of: Article.self,
      bufferingPolicy: .bufferingNewest(1)  // culprit
    )
  }

  func scan(_ articles: [Article]) {
    let input = input
    Thread.detachNewThread {
      for article in articles {
        Thread.sleep(forTimeInterval: 0.004)
        input.yield(article)
      }
      input.finish()
    }
  }
}

/// Looks each article up, for its name and the rebates.
struct PriceList: Sendable {
  func name(of article: Article) async -> String {
    try? await Task.sleep(for: .milliseconds(25))
    return "article \(article.code)"
  }
}

struct Receipt: Sendable {
  var lines: [String] = []
  var cents = 0
}

let basket = (1...20).map { Article(code: 400 + $0, cents: 100 + $0) }
let scanner = HandScanner()
scanner.scan(basket)

let till = Task(name: "till") {
  let prices = PriceList()
  var receipt = Receipt()
  for await article in scanner.articles {
    let name = await prices.name(of: article)
    receipt.lines.append("\(name) \(article.cents)")
    receipt.cents += article.cents
  }
  return receipt
}
let receipt = await till.value
for line in receipt.lines { print(line) }
print("\(receipt.lines.count) articles: \(receipt.cents)")
print("in the basket: \(basket.reduce(0) { $0 + $1.cents })")
