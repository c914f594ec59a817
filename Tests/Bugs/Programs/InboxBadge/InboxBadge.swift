// Symptom: The number on the mail icon is wrong. When a new message comes it stays as it is, and when
// I have read one it goes up.
// Looks at: badge (the number on the icon)
import Foundation
import Varve

struct Message {
  let id: Int
  let subject: String
  var isRead = false
}

final class Mailbox {
  let messages = MutableProperty<[Message]>([])

  func receive(_ subject: String) {
    messages.modify { $0.append(Message(id: $0.count, subject: subject)) }
  }

  func open(_ id: Int) {
    messages.modify { list in
      guard let index = list.firstIndex(where: { $0.id == id }) else { return }
      list[index].isRead = true
    }
  }
}

final class DockIcon {
  let badge = MutableProperty("")

  init(_ mailbox: Mailbox) {
    badge
      <~ mailbox.messages.producer
      .flatMap(.latest) { messages in
        SignalProducer(messages)
          .filter { $0.isRead }  // culprit
          .collect()
      }
      .map { $0.isEmpty ? "" : "\($0.count)" }
      .skipRepeats()
      .named("badge")
  }
}

let mailbox = Mailbox()
let icon = DockIcon(mailbox)
icon.badge.producer.startWithValues { print("badge: '\($0)'") }

mailbox.receive("Your invoice for March")
mailbox.receive("Lunch on Friday?")
mailbox.receive("Re: Lunch on Friday?")
mailbox.open(1)
mailbox.open(2)
