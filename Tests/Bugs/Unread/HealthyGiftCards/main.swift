// Symptom: None. The card is charged once, and the receipt and the balance are right.
// Looks at: receipt (the slip of paper)
import Foundation
import Varve

struct Redemption {
  let card: String
  let paid: Int
  let rest: Int
}

enum BankError: Error {
  case notEnough(rest: Int)
}

final class CardBank {
  private(set) var cards = ["K-77": 60, "K-78": 25]
  private let queue = QueueScheduler(name: "bank")

  func redeem(_ amount: Int, from card: String) -> SignalProducer<Redemption, BankError> {
    SignalProducer { [self] observer, lifetime in
      lifetime += queue.schedule(after: .milliseconds(10)) { [self] in
        let rest = (cards[card] ?? 0) - amount
        guard rest >= 0 else { return observer.send(error: .notEnough(rest: rest + amount)) }
        cards[card] = rest
        observer.send(value: Redemption(card: card, paid: amount, rest: rest))
        observer.sendCompleted()
      }
    }
  }
}

final class Till {
  let balance = MutableProperty(0)
  let receipt = MutableProperty("", named: "receipt")
  private let bank: CardBank

  init(_ bank: CardBank) { self.bank = bank }

  func pay(_ amount: Int, with card: String) {
    let redemption = bank.redeem(amount, from: card)
      .materializeResults()
      .replayLazily(upTo: 1)
    balance
      <~ redemption.map { result in
        switch result {
        case .success(let redemption): redemption.rest
        case .failure(.notEnough(let rest)): rest
        }
      }
    receipt
      <~ redemption.map { result in
        switch result {
        case .success(let redemption): "Paid \(redemption.paid) € with \(redemption.card)"
        case .failure(.notEnough(let rest)): "Only \(rest) € are left"
        }
      }
  }
}

let bank = CardBank()
let till = Till(bank)
till.receipt.signal.observeValues { print($0) }
for (amount, card) in [(20, "K-77"), (30, "K-78"), (15, "K-77"), (20, "K-78")] {
  till.pay(amount, with: card)
  Thread.sleep(forTimeInterval: 0.06)
}
print("the till says \(till.balance.value) €, the bank \(bank.cards["K-78"] ?? 0) €")
