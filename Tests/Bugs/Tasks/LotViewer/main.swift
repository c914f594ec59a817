// Symptom: Memory grows with each lot of the auction that I look at, and never shrinks, though I go
// back to the list each time.
// Looks at: the bids that a page follows ("bids")

import Foundation

struct Bid: Sendable {
  let lot: Int
  let amount: Int
}

@MainActor
final class AuctionHouse {
  private var listeners: [UUID: AsyncStream<Bid>.Continuation] = [:]

  func bids() -> AsyncStream<Bid> {
    let (stream, continuation) = AsyncStream.makeStream(of: Bid.self)
    let id = UUID()
    listeners[id] = continuation
    continuation.onTermination = { [weak self] _ in
      Task { @MainActor in self?.listeners[id] = nil }
    }
    return stream
  }

  func place(_ bid: Bid) {
    for listener in listeners.values { listener.yield(bid) }
  }
}

@MainActor
final class LotPage {
  private let lot: Int
  private let photo = [UInt8](repeating: 0x7f, count: 2_000_000)
  private(set) var highest = 0
  private var following: Task<Void, Never>?

  init(lot: Int, house: AuctionHouse) {
    self.lot = lot
    following = Task(name: "bids") { [weak self] in
      await self?.follow(house)  // culprit
    }
  }

  deinit { following?.cancel() }

  private func follow(_ house: AuctionHouse) async {
    for await bid in house.bids() where bid.lot == lot {
      highest = max(highest, bid.amount)
    }
  }
}

struct Weak {
  weak var page: LotPage?
}

let house = AuctionHouse()
var visited: [Weak] = []

@MainActor
func look(at lot: Int) async throws {
  let page = LotPage(lot: lot, house: house)
  visited.append(Weak(page: page))
  try await Task.sleep(for: .milliseconds(30))
  house.place(Bid(lot: lot, amount: 100 + lot))
  try await Task.sleep(for: .milliseconds(30))
  print("lot \(lot) is at \(page.highest)")
}

for lot in 1...8 {
  try await look(at: lot)
  if lot % 4 == 0 {
    try await Task.sleep(for: .milliseconds(50))
    print("back in the list: \(visited.count { $0.page != nil }) pages are in memory")
  }
}
