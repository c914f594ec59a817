// Symptom: If I scan quickly, the total is too low: of three bottles in a row only the last is
// counted.
// Looks at: the total ("total")

import Foundation
import Varve

struct Article {
  var code: String
  var cents: Int
}

final class Scanner {
  let scans: Signal<Article, Never>
  private let input: Signal<Article, Never>.Observer

  init() { (scans, input) = Signal.pipe(named: "scans") }
  func scan(_ code: String, _ cents: Int) { input.send(value: Article(code: code, cents: cents)) }
}

final class Desk {
  let total = MutableProperty(0)
  let lastCode = MutableProperty("")
  private let queue = QueueScheduler(name: "desk")

  init(_ scanner: Scanner) {
    lastCode <~ scanner.scans.map { $0.code }
    total
      <~ scanner.scans
      .debounce(.milliseconds(40), on: queue)  // culprit
      .map { $0.cents }
      .scan(0, +)
      .named("total")
  }
}

let scanner = Scanner()
let desk = Desk(scanner)
scanner.scan("bread", 320)
Thread.sleep(forTimeInterval: 0.1)
for _ in 1...3 {
  scanner.scan("bottle", 150)
  Thread.sleep(forTimeInterval: 0.01)
}
Thread.sleep(forTimeInterval: 0.1)
scanner.scan("cheese", 480)
Thread.sleep(forTimeInterval: 0.1)
print("last: \(desk.lastCode.value), to pay: \(desk.total.value) of \(320 + 3 * 150 + 480)")
