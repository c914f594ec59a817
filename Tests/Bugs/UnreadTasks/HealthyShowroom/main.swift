// Symptom: None; this works.
// Looks at: the prices that a page follows ("prices")

import Foundation

struct Price: Sendable {
  let car: Int
  let amount: Int
}

@MainActor
final class PriceList {
  private var listeners: [UUID: AsyncStream<Price>.Continuation] = [:]

  func changes() -> AsyncStream<Price> {
    let (stream, continuation) = AsyncStream.makeStream(of: Price.self)
    let id = UUID()
    listeners[id] = continuation
    continuation.onTermination = { [weak self] _ in
      Task { @MainActor in self?.listeners[id] = nil }
    }
    return stream
  }

  func change(_ price: Price) {
    for listener in listeners.values { listener.yield(price) }
  }
}

@MainActor
final class CarPage {
  private let car: Int
  private let photo = [UInt8](repeating: 0x7f, count: 2_000_000)
  private(set) var price = 0
  private var following: Task<Void, Never>?

  init(car: Int, prices: PriceList) {
    self.car = car
    following = Task(name: "prices") { [weak self] in
      for await price in prices.changes() {
        guard let self else { return }
        self.show(price)
      }
    }
  }

  deinit { following?.cancel() }

  private func show(_ price: Price) {
    if price.car == car { self.price = price.amount }
  }
}

struct Weak {
  weak var page: CarPage?
}

let prices = PriceList()
var visited: [Weak] = []

@MainActor
func look(at car: Int) async throws {
  let page = CarPage(car: car, prices: prices)
  visited.append(Weak(page: page))
  try await Task.sleep(for: .milliseconds(30))
  prices.change(Price(car: car, amount: 9_000 + car))
  try await Task.sleep(for: .milliseconds(30))
  print("car \(car) costs \(page.price)")
}

for car in 1...8 {
  try await look(at: car)
  if car % 4 == 0 {
    try await Task.sleep(for: .milliseconds(50))
    print("back in the list: \(visited.count { $0.page != nil }) pages are in memory")
  }
}
