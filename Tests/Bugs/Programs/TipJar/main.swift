// Symptom: I gave one tip, and my card was charged two times.
// Looks at: the charge of the card ("charge")

import Foundation
import Varve

enum PaymentError: Error {
  case declined
}

final class CardTerminal {
  private(set) var charges: [Int] = []
  private let bank = QueueScheduler(name: "bank")

  func charge(cents: Int) -> SignalProducer<String, PaymentError> {
    SignalProducer<String, PaymentError> { [self] observer, lifetime in
      lifetime += bank.schedule(after: .milliseconds(10)) { [self] in
        guard cents < 10_000 else { return observer.send(error: .declined) }
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
  let receipt = MutableProperty<String?>(nil)
  private let terminal: CardTerminal

  init(terminal: CardTerminal) { self.terminal = terminal }

  func give(cents: Int) {
    let payment = terminal.charge(cents: cents)
    status
      <~ payment
      .map { _ in "Thank you!" }
      .prefix(value: "Paying …")
      .flatMapError { _ in SignalProducer<String, Never>(value: "Declined") }
    payment
      .map(Optional.some)
      .flatMapError { _ in .empty }
      .startWithValues { [receipt] in receipt.value = $0 }  // culprit
  }
}

let terminal = CardTerminal()
let screen = TipScreen(terminal: terminal)
screen.give(cents: 500)
Thread.sleep(forTimeInterval: 0.2)
print("\(screen.status.value) \(screen.receipt.value ?? "no receipt")")
print("On the statement: \(terminal.charges.map { "\($0 / 100) €" }.joined(separator: ", "))")
