// Symptom: None: one tip is charged once, after the bank was unreachable at first.
// Looks at: the charge of the card ("charge")

import Foundation
import Varve

enum PaymentError: Error {
  case unreachable
}

final class CardTerminal {
  private(set) var attempts = 0
  private(set) var charges: [Int] = []
  let bank = QueueScheduler(name: "bank")

  func charge(cents: Int) -> SignalProducer<String, PaymentError> {
    SignalProducer<String, PaymentError> { [self] observer, lifetime in
      lifetime += bank.schedule(after: .milliseconds(10)) { [self] in
        attempts += 1
        guard attempts > 1 else { return observer.send(error: .unreachable) }
        charges.append(cents)
        observer.send(value: "receipt \(charges.count)")
        observer.sendCompleted()
      }
    }
    .named("charge")
  }
}

final class TipScreen {
  let status = MutableProperty("–")
  let give: Action<Int, String, PaymentError>

  init(terminal: CardTerminal) {
    give = Action { cents in
      terminal.charge(cents: cents)
        .retry(upTo: 3, interval: .milliseconds(20), on: terminal.bank)
    }
    status <~ give.values.map { "Thank you! \($0)" }
    status <~ give.errors.map { _ in "The bank does not answer" }
  }
}

let terminal = CardTerminal()
let screen = TipScreen(terminal: terminal)
screen.give.apply(500).start()
Thread.sleep(forTimeInterval: 0.2)
print(screen.status.value)
print("On the statement: \(terminal.charges.map { "\($0 / 100) €" }.joined(separator: ", "))")
