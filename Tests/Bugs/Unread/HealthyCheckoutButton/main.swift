// Symptom: none. A second tap on Pay while the first is under way does nothing, as it should.
// Looks at: the payments made ("payments")

import Foundation
import Varve

struct Payment: Sendable {
  let number: Int
  let cents: Int
}

enum PaymentError: Error {
  case declined
}

final class Bank: @unchecked Sendable {
  private let network = QueueScheduler(name: "bank")
  private let lock = NSLock()
  private var count = 0

  func charge(_ cents: Int) -> SignalProducer<Payment, PaymentError> {
    SignalProducer(value: cents)
      .delay(.milliseconds(50), on: network)
      .attemptMap { [self] cents -> Result<Payment, PaymentError> in
        guard cents < 10_000 else { return .failure(.declined) }
        return lock.withLock {
          count += 1
          return .success(Payment(number: count, cents: cents))
        }
      }
  }
}

final class CheckoutViewModel {
  let total = MutableProperty(0)
  let pay: Action<Void, Payment, PaymentError>
  let title: Property<String>

  init(bank: Bank) {
    pay = Action(state: total, enabledIf: { $0 > 0 }) { cents, _ in bank.charge(cents) }
    title = pay.isExecuting.map { $0 ? "Paying…" : "Pay" }
  }
}

let checkout = CheckoutViewModel(bank: Bank())
let (taps, tap) = Signal<Void, Never>.pipe()
checkout.pay <~ taps
checkout.title.producer.startWithValues { print("[\($0)]") }
checkout.pay.values.named("payments").observeValues { print("paid \($0.cents), № \($0.number)") }
checkout.pay.errors.observeValues { print("not paid: \($0)") }

func doubleTap() {
  tap.send(value: ())
  Thread.sleep(forTimeInterval: 0.01)
  tap.send(value: ())
  Thread.sleep(forTimeInterval: 0.12)
}
checkout.total.value = 1_250
doubleTap()
checkout.total.value = 25_000
doubleTap()
checkout.total.value = 990
doubleTap()
