// Symptom: I bought the pass for the museums once. As the sheet did not close, I pressed a second
// time. Now there are two bookings of 39 euros on my card, and one pass.
// Looks at: the second press ("purchase 2")

import Foundation

enum PaymentError: Error {
  case declined
}

struct Receipt: Sendable {
  let number: Int
  let cents: Int
}

actor CardTerminal {
  private(set) var charges: [Receipt] = []

  func charge(_ cents: Int) async throws -> Receipt {
    try await Task.sleep(for: .milliseconds(60))
    guard cents < 50_000 else { throw PaymentError.declined }
    let receipt = Receipt(number: 1_800 + charges.count, cents: cents)
    charges.append(receipt)
    return receipt
  }
}

actor PassOffice {
  private var passes: [String: Receipt] = [:]
  private let terminal: CardTerminal

  init(terminal: CardTerminal) { self.terminal = terminal }

  /// Sells a pass, unless the visitor has one already.
  func buy(for visitor: String) async throws -> Receipt {
    if let receipt = passes[visitor] { return receipt }
    let receipt = try await terminal.charge(3_900)  // culprit
    passes[visitor] = receipt
    return receipt
  }

  var count: Int { passes.count }
}

let terminal = CardTerminal()
let office = PassOffice(terminal: terminal)
var presses: [Task<String, Never>] = []
for press in 1...2 {
  presses.append(
    Task(name: "purchase \(press)") {
      do {
        return "receipt \(try await office.buy(for: "Ines").number)"
      } catch {
        return "not paid: \(error)"
      }
    })
  try await Task.sleep(for: .milliseconds(20))
}
for press in presses { print(await press.value) }
print("\(await office.count) pass, \(await terminal.charges.count) bookings")
