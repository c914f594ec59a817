// Symptom: I blocked two senders of advertising. Since then their letters are all that I get, and those
// of my friends do not come in.
// Looks at: the letters that are shown ("inbox")

import Foundation
import Varve

struct Letter: Sendable {
  let sender: String
  let subject: String
}

final class MailServer: Sendable {
  let arrivals: Signal<Letter, Never>
  private let input: Signal<Letter, Never>.Observer

  init() { (arrivals, input) = Signal.pipe() }

  func deliver(_ subject: String, from sender: String) {
    input.send(value: Letter(sender: sender, subject: subject))
  }
}

final class MailSettings: Sendable {
  let blocked = MutableProperty<Set<String>>([])

  func block(_ sender: String) { blocked.modify { _ = $0.insert(sender) } }
}

final class InboxModel: Sendable {
  let letters: Property<[Letter]>
  let badge: Property<String>

  init(server: MailServer, settings: MailSettings) {
    letters = Property(
      initial: [],
      then: server.arrivals
        .withLatest(from: settings.blocked)
        .filter { letter, blocked in blocked.contains(letter.sender) }  // culprit
        .map { letter, _ in letter }
        .scan(into: []) { $0.append($1) }
        .named("inbox"))
    badge = letters.map { $0.isEmpty ? "" : "\($0.count)" }
  }
}

let server = MailServer()
let settings = MailSettings()
let model = InboxModel(server: server, settings: settings)
settings.block("deals@mattress.example")
settings.block("win@lotto.example")
server.deliver("Only today: −40 %", from: "deals@mattress.example")
server.deliver("Dinner on Friday?", from: "ruth@home.example")
server.deliver("You are a winner", from: "win@lotto.example")
server.deliver("The keys", from: "jonas@home.example")
server.deliver("Photos of the hut", from: "ruth@home.example")
for letter in model.letters.value { print("\(letter.sender): \(letter.subject)") }
print("badge: \(model.badge.value)")
