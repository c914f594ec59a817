// Symptom: I hold my card to the turnstile at the gym, the lamp blinks, and nothing else happens. No
// message, no beep; my neighbour gets in.
// Looks at: the check of the card ("admit")
import Foundation
import Varve

enum CardError: Error {
  case contractEnded(String)
  case unknownCard
}

struct Member {
  let name: String
}

final class Members {
  private let database = QueueScheduler(name: "members")
  private let contracts = ["c-17": Member(name: "Odile"), "c-44": Member(name: "Tariq")]
  private let ended: Set = ["c-44"]

  func member(with card: String) -> SignalProducer<Member, CardError> {
    SignalProducer { [contracts, ended, database] observer, lifetime in
      lifetime += database.schedule(after: .milliseconds(12)) {
        guard let member = contracts[card] else { return observer.send(error: .unknownCard) }
        if ended.contains(card) { return observer.send(error: .contractEnded(member.name)) }
        observer.send(value: member)
        observer.sendCompleted()
      }
    }
  }
}

final class Turnstile {
  let display = MutableProperty("hold your card here")
  let lamp = MutableProperty(false)
  private let members: Members

  init(_ members: Members) { self.members = members }

  func hold(_ card: String) {
    members.member(with: card)
      .named("admit")
      .on(
        starting: { [lamp] in lamp.value = true },
        terminated: { [lamp] in lamp.value = false },
        value: { [display] member in display.value = "welcome, \(member.name)" }
      )
      .start()  // culprit
  }
}

let turnstile = Turnstile(Members())
turnstile.display.signal.observeValues { print("display: \($0)") }
for card in ["c-17", "c-44", "c-17", "c-44"] {
  turnstile.hold(card)
  Thread.sleep(forTimeInterval: 0.06)
}
print("display at the end: \(turnstile.display.value)")
