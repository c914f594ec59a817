// Symptom: When I print the report of the year, the window freezes, and not even the first page is
// shown as printed.
// Looks at: the printed pages ("printed")

import Foundation
import Varve

struct Page {
  var number: Int
  var rows: [String]
}

final class Spooler {
  private let queue = QueueScheduler(name: "spooler")

  func spool(_ pages: [Page]) -> SignalProducer<Page, Never> {
    SignalProducer.interval(pages, interval: .milliseconds(10), on: queue)
  }
}

final class PrintWindow {
  private(set) var status = "Ready"
  private let spooler: Spooler
  private let main = QueueScheduler.main

  init(spooler: Spooler) { self.spooler = spooler }

  private func show(_ page: Page) { status = "Page \(page.number), \(page.rows.count) rows" }

  /// Called by the button.
  func printReport(_ rows: [String]) {
    let pages = stride(from: 0, to: rows.count, by: 20).map { start in
      Page(number: start / 20 + 1, rows: Array(rows[start..<min(start + 20, rows.count)]))
    }
    let printed = spooler.spool(pages).named("printed")
    let last = printed.observe(on: main).on(value: show).waitForLast()  // culprit
    if case .success(let page)? = last {
      status = "All \(page.number) pages are printed"
    }
  }
}

let window = PrintWindow(spooler: Spooler())
let rows = (1...110).map { "invoice \($0)" }
DispatchQueue.main.async {
  window.printReport(rows)
  print(window.status)
}
RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.5))
print(window.status)
