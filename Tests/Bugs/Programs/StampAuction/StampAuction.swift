// Symptom: I leaf through the lots of a stamp auction. The more of them I have looked at, the more
// sluggish the app becomes, and it needs ever more memory.
// Looks at: bids (the bids of the auction)
import Foundation
import Varve

struct Bid: Sendable {
  let lot: Int
  let euros: Int
}

final class AuctionHouse: Sendable {
  let bids: Signal<Bid, Never>
  private let input: Signal<Bid, Never>.Observer

  init() {
    let (bids, input) = Signal<Bid, Never>.pipe()
    self.bids = bids.named("bids")
    self.input = input
  }

  func bid(_ euros: Int, on lot: Int) { input.send(value: Bid(lot: lot, euros: euros)) }
}

final class LotSheet: Sendable {
  let lot: Int
  let highest = MutableProperty(0)
  private let drawn = MutableProperty(0)
  private let subscriptions = CompositeDisposable()

  init(lot: Int, house: AuctionHouse) {
    self.lot = lot
    subscriptions += highest.signal.skipRepeats().observeValues { [drawn] _ in drawn.value += 1 }
    subscriptions += house.bids.observeValues(take)  // culprit
  }

  deinit {
    subscriptions.dispose()
    print("sheet \(lot) is closed")
  }

  private func take(_ bid: Bid) {
    if bid.lot == lot { highest.value = max(highest.value, bid.euros) }
  }
}

final class Catalog {
  private let house: AuctionHouse
  private var sheet: LotSheet?

  init(_ house: AuctionHouse) { self.house = house }

  func turn(to lot: Int) { sheet = LotSheet(lot: lot, house: house) }
  func close() { sheet = nil }
}

let house = AuctionHouse()
let catalog = Catalog(house)
for lot in 1...40 {
  catalog.turn(to: lot)
  house.bid(lot * 10, on: lot)
  house.bid(lot * 12, on: lot)
  Thread.sleep(forTimeInterval: 0.008)
}
catalog.close()
house.bid(1000, on: 1)
print("the catalog is closed")
