// Symptom: A customer paid 20 € with a card, and 40 € are gone from it.
// Looks at: receipt (the slip of paper)
import Foundation
import Varve

struct Redemption {
  let card: String
  let paid: Int
  let rest: Int
}

final class CardBank {
  private(set) var cards = ["K-77": 60, "K-78": 25]
  private let queue = QueueScheduler(name: "bank")

  func redeem(_ amount: Int, from card: String) -> SignalProducer<Redemption, Never> {
    SignalProducer { [self] observer, lifetime in
      lifetime += queue.schedule(after: .milliseconds(10)) { [self] in
        let rest = (cards[card] ?? 0) - amount
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
    balance <~ redemption.map(\.rest)
    receipt <~ redemption.map { "Paid \($0.paid) € with \($0.card)" }  // culprit
  }
}

let bank = CardBank()
let till = Till(bank)
till.receipt.signal.observeValues { print($0) }
till.pay(20, with: "K-77")
Thread.sleep(forTimeInterval: 0.1)
print("the till says \(till.balance.value) €, the bank \(bank.cards["K-77"] ?? 0) €")
