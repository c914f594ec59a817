// Symptom: When I scan my things quickly, some of them are not on the receipt. The till beeps for
// each of them. The farmer says that he loses money on busy days.
// Looks at: receipt (the lines that are printed)
import Foundation
import Varve

struct Article: Sendable {
  let name: String
  let cents: Int
}

final class Scanner: Sendable {
  let articles: Signal<Article, Never>
  private let beam: Signal<Article, Never>.Observer
  let beeps = MutableProperty(0)

  init() { (articles, beam) = Signal.pipe() }

  func scan(_ name: String, _ cents: Int) {
    beeps.modify { $0 += 1 }
    beam.send(value: Article(name: name, cents: cents))
  }
}

/// A small printer that burns the letters into the paper.
final class ReceiptPrinter: Sendable {
  let queue = QueueScheduler(name: "printer")

  func printed(_ article: Article) -> String {
    let price = String(format: "%.2f", Double(article.cents) / 100)
    Thread.sleep(forTimeInterval: 0.03)
    return article.name.padding(toLength: 12, withPad: " ", startingAt: 0) + price
  }
}

final class Till {
  let lines = MutableProperty<[String]>([])

  init(_ scanner: Scanner, printer: ReceiptPrinter) {
    // The scanner should not wait for the paper.
    lines
      <~ scanner.articles
      .lazyMap(on: printer.queue) { printer.printed($0) }  // culprit
      .named("receipt")
      .scan([]) { $0 + [$1] }
  }
}

let scanner = Scanner()
let till = Till(scanner, printer: ReceiptPrinter())
for (name, cents) in [("eggs", 390), ("honey", 640)] {
  scanner.scan(name, cents)
  Thread.sleep(forTimeInterval: 0.15)
}
for (name, cents) in [("leek", 120), ("leek", 120), ("carrots", 180), ("milk", 150), ("jam", 420)] {
  scanner.scan(name, cents)
  Thread.sleep(forTimeInterval: 0.004)
}
Thread.sleep(forTimeInterval: 0.3)
for line in till.lines.value { print(line) }
print("\(scanner.beeps.value) beeps, \(till.lines.value.count) lines")
