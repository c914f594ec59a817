// Symptom: The longer I scroll up and down through the lots of the auction, the more it stutters. After
// a while each bid makes it hang for a moment, and cells show the bids of other lots.
// Looks at: the highest bid of a lot ("bids")

import Foundation
import Varve

final class Lot: Sendable {
  let title: String
  let highest: MutableProperty<Int>

  init(_ title: String, opening: Int) {
    self.title = title
    highest = MutableProperty(opening, named: "bids")
  }
}

/// A cell of the list; the list uses few of them, again and again.
final class LotCell: Sendable {
  let text = MutableProperty("")
  let redraws = MutableProperty(0)

  func show(_ lot: Lot) {
    let title = lot.title
    lot.highest.producer
      .skipRepeats()
      .startWithValues { [weak self] bid in  // culprit
        self?.redraws.modify { $0 += 1 }
        self?.text.value = "\(title): \(bid) €"
      }
  }
}

final class LotList: Sendable {
  let lots = (1...20).map { Lot("Lot \($0)", opening: $0 * 100) }
  let cells = (0..<5).map { _ in LotCell() }

  /// Shows the lots from `top` on.
  func scroll(to top: Int) {
    for row in top..<top + cells.count { cells[row % cells.count].show(lots[row]) }
  }

  var redraws: Int { cells.reduce(0) { $0 + $1.redraws.value } }
}

let list = LotList()
for swipe in 1...12 {
  for top in 0...15 { list.scroll(to: swipe % 2 == 0 ? top : 15 - top) }
  let before = list.redraws
  list.lots[swipe].highest.modify { $0 += 10 }
  if swipe % 3 == 0 { print("swipe \(swipe): one bid, \(list.redraws - before) redraws") }
  Thread.sleep(forTimeInterval: 0.02)
}
list.scroll(to: 0)
list.lots[12].highest.value = 9_999
print(list.cells.map(\.text.value))
