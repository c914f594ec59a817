// Symptom: I sent my application, saw a wrong digit, and corrected it for the next time. The
// consulate has several applications of mine now, one for each key that I pressed.
// Looks at: the applications that the consulate gets ("applications")
import Foundation
import Varve

struct Form: Sendable, Equatable {
  var name = ""
  var passport = ""
  var days = 30

  var isComplete: Bool { !name.isEmpty && passport.count >= 6 }
}

enum ConsulateError: Error {
  case closed
}

final class Consulate: Sendable {
  let applications: Signal<Form, Never>
  private let input: Signal<Form, Never>.Observer
  private let office = QueueScheduler(name: "office")

  init() { (applications, input) = Signal.pipe() }

  func file(_ form: Form) -> SignalProducer<String, ConsulateError> {
    SignalProducer { [input] () -> Result<String, ConsulateError> in
      input.send(value: form)
      return .success("filed for \(form.name), passport \(form.passport)")
    }
    .delay(.milliseconds(5), on: office)
  }
}

final class Application {
  let form = MutableProperty(Form())
  let message = MutableProperty("")

  init(_ consulate: Consulate, presses: Signal<Void, Never>) {
    message
      <~ presses.producer
      .combineLatest(with: form.producer.skipRepeats())  // culprit
      .map { _, form in form }
      .filter { $0.isComplete }
      .flatMap(.concat) { form in
        consulate.file(form)
          .flatMapError { _ in SignalProducer(value: "The consulate is closed.") }
      }
  }
}

let consulate = Consulate()
let counted = consulate.applications.named("applications")
let filed = MutableProperty(0)
filed <~ counted.scan(0) { count, _ in count + 1 }
counted.observeValues { print("application: \($0.name), \($0.passport), \($0.days) days") }

let (presses, button) = Signal<Void, Never>.pipe()
let application = Application(consulate, presses: presses)
application.message.signal.observeValues { print("message: \($0)") }
for letters in ["A", "An", "Ana"] { application.form.modify { $0.name = letters } }
for digits in ["7", "71", "711", "7118", "71182", "711824"] {
  application.form.modify { $0.passport = digits }
}
button.send(value: ())
Thread.sleep(forTimeInterval: 0.05)
for digits in ["7118245", "71182457"] {
  application.form.modify { $0.passport = digits }
  Thread.sleep(forTimeInterval: 0.03)
}
application.form.modify { $0.days = 60 }
Thread.sleep(forTimeInterval: 0.1)
print("pressed once, \(filed.value) applications")
