// Symptom: I bring a lamp back to the shop, the clerk takes it and says the money is on its way. It has
// not come, and the bank has never heard of it.
// Looks at: the refunds at the bank ("refunds")
import Foundation
import Varve

struct Refund {
  let receipt: String
  let cents: Int
}

enum BankError: Error {
  case closed
}

final class Bank {
  let refunds: Signal<Refund, Never>
  private let ledger: Signal<Refund, Never>.Observer
  private let queue = QueueScheduler(name: "bank")

  init() { (refunds, ledger) = Signal.pipe(named: "refunds") }

  func pay(_ refund: Refund) -> SignalProducer<Void, BankError> {
    SignalProducer { [queue, ledger] observer, lifetime in
      lifetime += queue.schedule(after: .milliseconds(10)) {
        ledger.send(value: refund)
        observer.send(value: ())
        observer.sendCompleted()
      }
    }
  }
}

final class Clerk {
  private let bank: Bank
  private let (returns, counter) = Signal<Refund, Never>.pipe(named: "returns")
  let stock = MutableProperty(3)

  init(bank: Bank) {
    self.bank = bank
    stock <~ returns.map(value: 1).scan(3) { $0 + $1 }
    returns.observeValues { [bank] refund in
      print("taken back: \(refund.receipt)")
      _ = bank.pay(refund).retry(upTo: 2)  // culprit
    }
  }

  func takeBack(_ receipt: String, cents: Int) {
    counter.send(value: Refund(receipt: receipt, cents: cents))
  }
}

let bank = Bank()
bank.refunds.observeValues { print("bank: \($0.cents) for \($0.receipt)") }
let clerk = Clerk(bank: bank)
clerk.takeBack("R-20113", cents: 4_990)
Thread.sleep(forTimeInterval: 0.05)
clerk.takeBack("R-20140", cents: 1_250)
Thread.sleep(forTimeInterval: 0.1)
print("lamps in stock: \(clerk.stock.value)")
