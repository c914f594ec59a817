// Symptom: The app for my shares crashes when I remove a share while the prices are being
// refreshed. If I wait for the refresh it works.
// Looks at: the refresh of the prices

import Foundation

struct Share: Sendable {
  var symbol: String
  var cents = 0
}

struct Exchange: Sendable {
  func price(of symbol: String) async -> Int {
    try? await Task.sleep(for: .milliseconds(40))
    return symbol.utf8.reduce(0) { $0 + Int($1) * 17 }
  }
}

@MainActor
final class Portfolio {
  private let exchange = Exchange()
  private(set) var shares: [Share]

  init(symbols: [String]) {
    shares = symbols.map { Share(symbol: $0) }
  }

  func refresh() async {
    for index in shares.indices {
      guard index < shares.count else { break }
      let price = await exchange.price(of: shares[index].symbol)
      shares[index].cents = price  // culprit
      print("\(shares[index].symbol): \(Double(price) / 100) €")
    }
  }

  func remove(_ symbol: String) {
    shares.removeAll { $0.symbol == symbol }
    print("removed \(symbol)")
  }
}

let portfolio = Portfolio(symbols: ["ACME", "BOLT", "CRUX", "DUNE"])
let refresh = Task { await portfolio.refresh() }
try await Task.sleep(for: .milliseconds(140))
portfolio.remove("CRUX")
await refresh.value
print("\(portfolio.shares.count) shares in the portfolio")
