// Symptom: After "Send" was pressed once, every further letter that is typed sends the review again.
// Looks at: reviews (what is sent)

import Foundation
import Varve

final class ReviewServer: Sendable {
  let received = MutableProperty<[String]>([], named: "received")

  func post(_ review: String) {
    received.modify { $0.append(review) }
    print("received: \(review)")
  }
}

final class ReviewForm: Sendable {
  let text = MutableProperty("", named: "text")
  let stars = MutableProperty(0, named: "stars")
  private let taps: Signal<Void, Never>
  private let button: Signal<Void, Never>.Observer

  init(server: ReviewServer) {
    (taps, button) = Signal.pipe(named: "send taps")
    let review = text.producer.map { $0.trimmingCharacters(in: .whitespaces) }
    taps.producer
      .combineLatest(with: review)  // culprit
      .map { [stars] _, review in "\(stars.value)* \(review)" }
      .named("reviews")
      .startWithValues { server.post($0) }
  }

  func send() {
    button.send(value: ())
  }
}

let server = ReviewServer()
let form = ReviewForm(server: server)
form.stars.value = 4
for end in 1...4 { form.text.value = String("Good".prefix(end)) }
form.send()
let addition = " soup, slow waiters"
for end in 1...addition.count {
  form.text.value = "Good" + addition.prefix(end)
  Thread.sleep(forTimeInterval: 0.004)
}
print("\(server.received.value.count) reviews")
