// Symptom: When the bank declines, the shop's "please wait" never ends. Accepted payments are fine.
// Looks at: the payment ("payment 2")

import Foundation

enum Answer: Sendable {
  case accepted(String)
  case declined(String)
}

final class Bank: Sendable {
  private let queue = DispatchQueue(label: "bank")

  func charge(_ cents: Int, answer: @escaping @Sendable (Answer) -> Void) {
    queue.asyncAfter(deadline: .now() + 0.02) {
      answer(cents > 10_000 ? .declined("limit") : .accepted("receipt \(cents)"))
    }
  }
}

struct Checkout: Sendable {
  let bank = Bank()

  func pay(_ cents: Int) async -> String {
    await withUnsafeContinuation { paid in
      bank.charge(cents) { answer in
        switch answer {
        case .accepted(let receipt):
          paid.resume(returning: receipt)
        case .declined(let reason):  // culprit
          print("declined: \(reason)")
        }
      }
    }
  }
}

let checkout = Checkout()
let payments = [950, 25_000, 1_999].enumerated().map { number, cents in
  Task(name: "payment \(number + 1)") { await checkout.pay(cents) }
}
for payment in payments { print(await payment.value) }
