// Symptom: None; this works.
// Looks at: the search for what is typed

import Foundation

actor SwatchShop {
  private(set) var requests = 0
  private let swatches = ["terracotta", "teal", "tan", "tangerine", "taupe"]

  func search(_ text: String) async throws -> [String] {
    requests += 1
    try await Task.sleep(for: .milliseconds(15))
    return swatches.filter { $0.hasPrefix(text) }
  }
}

@MainActor
final class SwatchSearch {
  static var open = 0

  private let shop: SwatchShop
  private var pending: Task<Void, Never>?
  private var blinking: Task<Void, Never>?
  private var cursor = false
  private(set) var results: [String] = []

  init(shop: SwatchShop) {
    self.shop = shop
    Self.open += 1
    blinking = Task { [weak self] in
      while !Task.isCancelled {
        self?.cursor.toggle()
        do { try await Task.sleep(for: .milliseconds(30)) } catch { return }
      }
    }
  }

  func textChanged(_ text: String) {
    pending?.cancel()
    pending = Task {
      do {
        try await Task.sleep(for: .milliseconds(80))
        let found = try await shop.search(text)
        try Task.checkCancellation()
        results = found
      } catch {
        return
      }
    }
  }

  func settled() async {
    await pending?.value
  }

  deinit {
    blinking?.cancel()
    pending?.cancel()
    Task { @MainActor in Self.open -= 1 }
  }
}

@MainActor
func look(for word: String, in shop: SwatchShop) async throws {
  let search = SwatchSearch(shop: shop)
  var typed = ""
  for letter in word {
    typed.append(letter)
    search.textChanged(typed)
    try await Task.sleep(for: .milliseconds(25))
  }
  await search.settled()
  print("\(word): \(search.results)")
}

let shop = SwatchShop()
for word in ["ta", "tang", "te"] { try await look(for: word, in: shop) }
try await Task.sleep(for: .milliseconds(50))
print("\(await shop.requests) requests, \(SwatchSearch.open) fields are still open")
