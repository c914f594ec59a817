// Symptom: I send my tax return, the wheel turns for ever, and nobody tells me that the office refused
// it.
// Looks at: the answer of the tax office ("submission")

import Foundation
import Varve

enum OfficeError: Error {
  case missingField(String)
}

struct TaxReturn {
  var year: Int
  var fields: [String: Int]
}

final class TaxOffice {
  private let queue = QueueScheduler(name: "office")

  func submit(_ form: TaxReturn) -> SignalProducer<String, OfficeError> {
    SignalProducer<String, OfficeError> { [queue] observer, lifetime in
      lifetime += queue.schedule(after: .milliseconds(10)) {
        guard form.fields["iban"] != nil else { return observer.send(error: .missingField("iban")) }
        observer.send(value: "\(form.year)-0815")
        observer.sendCompleted()
      }
    }
    .named("submission")
  }
}

final class SubmissionModel {
  enum State { case editing, sending, sent(String), refused(String) }

  let state = MutableProperty(State.editing)
  private let office = TaxOffice()

  func send(_ form: TaxReturn) {
    state.value = .sending
    office.submit(form)
      .start { [state] event in  // culprit
        switch event {
        case .value(let number): state.value = .sent(number)
        case .failed, .interrupted, .completed: break
        }
      }
  }
}

let model = SubmissionModel()
model.send(TaxReturn(year: 2025, fields: ["income": 51_000]))
Thread.sleep(forTimeInterval: 0.2)
print("state: \(model.state.value)")
