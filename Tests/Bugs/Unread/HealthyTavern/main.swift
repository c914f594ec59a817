// Symptom: None. The tab follows the orders, the bill at the end has the same sum, the bell rings
// when the sum passes the next fifty, and the screen lets go of the tab when it is closed.
// Looks at: total (the sum on the tab)
import Foundation
import Varve

final class Tab: Sendable {
  let orders: Signal<Int, Never>
  private let input: Signal<Int, Never>.Observer

  init() { (orders, input) = Signal.pipe() }

  func order(_ cents: Int) { input.send(value: cents) }
  func pay() { input.sendCompleted() }
}

final class BarScreen {
  let total = MutableProperty(0)
  let bill = MutableProperty<Int?>(nil)
  private let bell = MutableProperty(0)
  private let observations = ScopedDisposable(CompositeDisposable())

  init(_ tab: Tab) {
    total <~ tab.orders.scan(0) { $0 + $1 }.named("total")
    bill <~ tab.orders.reduce(0) { $0 + $1 }.named("bill").map { Optional($0) }
    observations +=
      total.signal
      .combinePrevious(0)
      .filter { $0 / 5_000 < $1 / 5_000 }
      .observeValues { [bell] _ in bell.modify { $0 += 1 } }
  }

  var text: String {
    let paid = bill.value.map { ", paid \($0)" } ?? ""
    return "total \(total.value), the bell rang \(bell.value) times\(paid)"
  }
}

let tab = Tab()
var screen: BarScreen? = BarScreen(tab)
for cents in [1_250, 900, 2_980, 450, 3_300, 1_800] {
  tab.order(cents)
  Thread.sleep(forTimeInterval: 0.02)
  print(screen?.text ?? "")
}
tab.pay()
print(screen?.text ?? "")
screen = nil
