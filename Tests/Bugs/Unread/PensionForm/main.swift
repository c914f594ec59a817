// Symptom: When I press Send, the form freezes: the window no longer reacts, and I have to kill it.
// Looks at: the answer of the office ("answer")

import Foundation
import Varve

struct Refused: Error {}

final class PensionOffice: Sendable {
  private let network = QueueScheduler(name: "network")

  func submit(_ years: Int) -> SignalProducer<String, Refused> {
    SignalProducer { observer, _ in
      Thread.sleep(forTimeInterval: 0.03)
      if years < 0 {
        observer.send(error: Refused())
      } else {
        observer.send(value: "accepted, \(years) years")
        observer.sendCompleted()
      }
    }
    .start(on: network)
    .observe(on: QueueScheduler.main)
    .named("answer")
  }
}

final class FormModel {
  let years = MutableProperty(0)
  let status = MutableProperty("draft")
  private let office: PensionOffice

  init(_ office: PensionOffice) { self.office = office }

  func send() {
    status.value = "sending"
    switch office.submit(years.value).waitForSingle() {  // culprit
    case .success(let text)?: status.value = text
    case .failure?: status.value = "refused"
    case nil: status.value = "no answer"
    }
  }
}

let form = FormModel(PensionOffice())
form.status.producer.startWithValues { print($0) }
QueueScheduler.main.schedule {
  form.years.value = 31
  form.send()
}
RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.5))
print("closing with: \(form.status.value)")
