// Symptom: Our shop's server counts a request for every letter that somebody types in the search
// field of the app, although it should wait until the customer stops typing.
// Looks at: the search for what is typed

import Foundation

actor FabricShop {
  private(set) var requests = 0
  private let fabrics = ["corduroy", "cotton", "cord", "linen", "velvet"]

  func search(_ text: String) async -> [String] {
    requests += 1
    print("request \(requests): \(text)")
    try? await Task.sleep(for: .milliseconds(15))
    return fabrics.filter { $0.hasPrefix(text) }
  }
}

@MainActor
final class SearchModel {
  private let shop: FabricShop
  private var pending: Task<Void, Never>?
  private(set) var results: [String] = []

  init(shop: FabricShop) {
    self.shop = shop
  }

  func textChanged(_ text: String) {
    pending?.cancel()
    pending = Task {
      try? await Task.sleep(for: .milliseconds(80))  // culprit
      results = await shop.search(text)
    }
  }

  func settled() async {
    await pending?.value
  }
}

let shop = FabricShop()
let model = SearchModel(shop: shop)
var typed = ""
for letter in "corduroy" {
  typed.append(letter)
  model.textChanged(typed)
  try await Task.sleep(for: .milliseconds(25))
}
await model.settled()
print("found \(model.results) with \(await shop.requests) requests")
