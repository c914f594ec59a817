// Symptom: I send my feedback. When I then begin to write another one, the support team gets a
// message for every letter.
// Looks at: the messages that support gets ("ticket")

import Foundation
import Varve

struct Feedback: Equatable {
  var text: String
  var stars: Int
}

final class SupportDesk: Sendable {
  let inbox = MutableProperty<[Feedback]>([])
  private let mail = QueueScheduler(name: "mail")

  func post(_ feedback: Feedback) -> SignalProducer<Int, Never> {
    SignalProducer { [inbox] in
      inbox.modify {
        $0.append(feedback)
        return $0.count
      }
    }
    .start(on: mail)
  }
}

final class FeedbackViewModel {
  let text = MutableProperty("")
  let stars = MutableProperty(5)
  let (sendTaps, sendButton) = Signal<Void, Never>.pipe()
  let ticket: Signal<Int, Never>

  init(desk: SupportDesk) {
    let form = text.signal.withLatest(from: stars.producer)
      .map { Feedback(text: $0, stars: $1) }
    ticket = Signal.combineLatest(sendTaps, form)  // culprit
      .map { _, feedback in feedback }
      .filter { !$0.text.isEmpty }
      .flatMap(.concat) { desk.post($0) }
      .named("ticket")
  }

  func type(_ words: String) {
    for letter in words {
      text.value.append(letter)
      Thread.sleep(forTimeInterval: 0.008)
    }
  }
}

let desk = SupportDesk()
let form = FeedbackViewModel(desk: desk)
form.ticket.observeValues { print("ticket \($0)") }

form.stars.value = 4
form.type("Lovely hotel")
form.sendButton.send(value: ())
Thread.sleep(forTimeInterval: 0.05)
form.text.value = ""
form.stars.value = 1
form.type("But noisy")
Thread.sleep(forTimeInterval: 0.05)
for feedback in desk.inbox.value {
  print(String(repeating: "*", count: feedback.stars), feedback.text)
}
