// Symptom: None. Each row shows its own book, however fast I scroll, and after the screen is closed
// the shelf is left alone.
// Looks at: the books on loan ("loans")

import Foundation
import Varve

/// Loans come from the counters of all branches, therefore from any thread.
final class Shelf: @unchecked Sendable {
  let loans: Signal<String, Never>
  private let input: Signal<String, Never>.Observer
  private var copies: [String: Int]
  private let lock = NSLock()

  init(_ copies: [String: Int]) {
    self.copies = copies
    (loans, input) = Signal.pipe(named: "loans")
  }

  func lend(_ title: String) {
    lock.lock()
    let left = copies[title] ?? 0
    copies[title] = max(left - 1, 0)
    lock.unlock()
    if left > 0 { input.send(value: title) }
  }

  func available(_ title: String) -> SignalProducer<Int, Never> {
    SignalProducer(value: title)
      .concat(SignalProducer(loans).filter { $0 == title })
      .map { [self] in count($0) }
  }

  private func count(_ title: String) -> Int {
    lock.lock()
    defer { lock.unlock() }
    return copies[title] ?? 0
  }
}

final class BookRow {
  let text = MutableProperty("")
  private let (reused, reuse) = Signal<Void, Never>.pipe()

  func show(_ title: String, of shelf: Shelf) {
    reuse.send(value: ())
    text
      <~ shelf.available(title)
      .map { $0 > 0 ? "\(title): \($0)" : "\(title): all on loan" }
      .take(until: reused)
  }
}

final class BookList {
  let rows = [BookRow(), BookRow()]
  let lent = MutableProperty(0)
  private let titles: [String]
  private let shelf: Shelf
  private var counting: ScopedDisposable<AnyDisposable>?

  init(_ shelf: Shelf, titles: [String]) {
    self.titles = titles
    self.shelf = shelf
    counting = shelf.loans
      .observeValues { [lent] _ in lent.modify { $0 += 1 } }
      .map { ScopedDisposable($0) }
  }

  func scroll(to first: Int) {
    for (row, title) in zip(rows, titles[first...]) { row.show(title, of: shelf) }
  }
}

let titles = ["Dune", "Emma", "Momo", "Ulysses"]
let shelf = Shelf(["Dune": 2, "Emma": 4, "Momo": 15, "Ulysses": 1])
for visit in 1...3 {
  let list = BookList(shelf, titles: titles)
  for first in [0, 1, 2, 1, 0, 2] {
    list.scroll(to: first)
    shelf.lend("Momo")
    if first == 1 { shelf.lend("Emma") }
    Thread.sleep(forTimeInterval: 0.012)
    print("visit \(visit):", list.rows.map(\.text.value).joined(separator: ", "))
  }
  print("\(list.lent.value) loans seen")
}
shelf.lend("Dune")
