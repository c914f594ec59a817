// Symptom: I enter the hotel, 186 euros, and the tram, 2.40. The sum of the report is 2.40.
// Looks at: sum (the line below the report)
import Foundation
import Varve

enum AmountError: Error {
  case negative
  case aboveLimit
}

struct Policy {
  let euros: [String: Int]

  func limit(for kind: String) -> Int { euros[kind] ?? 50 }
}

final class ExpenseLine {
  let kind: String
  let cents: ValidatingProperty<Int, AmountError>

  init(_ kind: String, policy: Policy) {
    self.kind = kind
    let limit = policy.limit(for: kind)
    cents = ValidatingProperty(0) { cents in
      if cents < 0 { return .invalid(.negative) }
      return cents <= limit ? .valid : .invalid(.aboveLimit)  // culprit
    }
  }

  func type(_ text: String) {
    guard let amount = Double(text) else { return }
    cents.value = Int((amount * 100).rounded())
  }
}

final class ExpenseReport {
  let lines: [ExpenseLine]
  let sum: Property<Int>

  init(_ kinds: [String], policy: Policy) {
    lines = kinds.map { ExpenseLine($0, policy: policy) }
    sum = Property.combineLatest(lines.map(\.cents), emptySentinel: [])
      .map { $0.reduce(0) { $0 + $1 } }
  }

  subscript(kind: String) -> ExpenseLine? { lines.first { $0.kind == kind } }
}

func euros(_ cents: Int) -> String { String(format: "%d.%02d €", cents / 100, cents % 100) }

let policy = Policy(euros: ["hotel": 220, "train": 300, "tram": 400])
let report = ExpenseReport(["hotel", "train", "tram"], policy: policy)
report.sum.signal.named("sum").observeValues { print("sum: \(euros($0))") }

for (kind, text) in [("tram", "2.40"), ("hotel", "186"), ("hotel", "186.00")] {
  print("\(kind): \(text)")
  report[kind]?.type(text)
  Thread.sleep(forTimeInterval: 0.02)
}
print("I get back \(euros(report.sum.value))")
