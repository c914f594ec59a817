// Symptom: I looked at the details of a lot and came back to the list. Now each bid makes two
// banners, and after another look there are three for one bid.
// Looks at: the banners for the bids

import Foundation

@MainActor
final class LotListScreen {
  private let center: BidCenter
  private var isVisible = false
  private(set) var banners = 0

  init(center: BidCenter) {
    self.center = center
  }

  func viewDidAppear() {
    isVisible = true
    Task {  // culprit
      for await bid in center.bids() {
        show(bid)
      }
    }
  }

  func viewDidDisappear() {
    isVisible = false
  }

  private func show(_ bid: Bid) {
    guard isVisible else { return }
    banners += 1
    print("banner \(banners): \(bid.amount) € for the \(bid.lot)")
  }
}

let center = BidCenter()
let screen = LotListScreen(center: center)
for (round, lot) in ["walnut desk", "oil lamp", "sea chest"].enumerated() {
  screen.viewDidAppear()
  try await Task.sleep(for: .milliseconds(60))
  print("somebody bids for the \(lot)")
  center.place(Bid(lot: lot, amount: 80 + round * 15))
  try await Task.sleep(for: .milliseconds(60))
  screen.viewDidDisappear()
}
print("\(screen.banners) banners for 3 bids")
