// Symptom: none. The bar reports its shelves far too often and mostly without a change; what is
// billed is what changed, and the display is content with ten pictures a second.
// Looks at: the bill ("bill")

import Foundation
import Varve

struct Shelf: Equatable {
  var bottles: Int
  var nuts: Int
  var measured: Date

  func price(since earlier: Shelf) -> Int {
    (earlier.bottles - bottles) * 450 + (earlier.nuts - nuts) * 300
  }

  static func == (one: Shelf, other: Shelf) -> Bool {
    one.bottles == other.bottles && one.nuts == other.nuts
  }
}

final class Minibar {
  let shelf: Signal<Shelf, Never>
  private let input: Signal<Shelf, Never>.Observer
  private var state = Shelf(bottles: 6, nuts: 2, measured: Date())

  init() { (shelf, input) = Signal.pipe(named: "shelf") }

  func report(taking bottles: Int = 0) {
    state.bottles -= bottles
    state.measured = Date()
    input.send(value: state)
  }

  func lock() { input.sendCompleted() }
}

final class Bill {
  let cents = MutableProperty(0, named: "bill")
  let clock = MutableProperty("", named: "clock")

  init(_ bar: Minibar) {
    cents
      <~ bar.shelf
      .skipRepeats()
      .combinePrevious()
      .map { earlier, later in later.price(since: earlier) }
      .filter { $0 > 0 }
      .scan(0) { $0 + $1 }
    clock
      <~ bar.shelf
      .map { "at \(Int($0.measured.timeIntervalSince1970) % 60) s" }
      .throttle(.milliseconds(100), on: QueueScheduler.main)
  }
}

let bar = Minibar()
let bill = Bill(bar)
for tick in 0..<60 {
  bar.report(taking: [20, 41].contains(tick) ? 1 : 0)
  RunLoop.main.run(until: Date().addingTimeInterval(0.005))
}
bar.lock()
RunLoop.main.run(until: Date().addingTimeInterval(0.15))
print("\(bill.cents.value) cents \(bill.clock.value)")
