// Symptom: None. Each press files the form as it is then; the second is refused, and I am told.
// Looks at: message (the text below the form)
import Foundation
import Varve

struct Form: Sendable, Equatable {
  var name = ""
  var passport = ""

  var isComplete: Bool { !name.isEmpty && passport.count >= 6 }
}

enum ConsulateError: Error {
  case filedAlready(passport: String)
}

final class Consulate: Sendable {
  private let files = MutableProperty<[String: Form]>([:])
  private let office = QueueScheduler(name: "office")

  func file(_ form: Form) -> SignalProducer<String, ConsulateError> {
    SignalProducer { [files] () -> Result<String, ConsulateError> in
      files.modify { files in
        guard files[form.passport] == nil else {
          return .failure(.filedAlready(passport: form.passport))
        }
        files[form.passport] = form
        return .success("filed for \(form.name)")
      }
    }
    .start(on: office)
  }
}

final class Application {
  let form = MutableProperty(Form())
  let message = MutableProperty("")
  let file: Action<Form, String, ConsulateError>

  init(_ consulate: Consulate, presses: Signal<Void, Never>) {
    let isComplete = form.map { $0.isComplete }.skipRepeats()
    file = Action(enabledIf: isComplete) { form in
      consulate.file(form)
    }
    file <~ presses.withLatest(from: form.producer).map { _, form in form }
    message <~ file.values
    message
      <~ file.errors.map { error in
        switch error {
        case .filedAlready(let passport): "\(passport) has an application already."
        }
      }
  }
}

let (presses, button) = Signal<Void, Never>.pipe()
let application = Application(Consulate(), presses: presses)
application.message.signal.named("message").observeValues { print("message: \($0)") }
application.file.isEnabled.producer.startWithValues { print("button \($0 ? "blue" : "grey")") }
for letters in ["A", "An", "Ana"] { application.form.modify { $0.name = letters } }
for digits in ["7", "71", "711", "7118", "71182", "711824"] {
  application.form.modify { $0.passport = digits }
}
button.send(value: ())
Thread.sleep(forTimeInterval: 0.05)
application.form.modify { $0.name = "Ana Reis" }
Thread.sleep(forTimeInterval: 0.05)
button.send(value: ())
Thread.sleep(forTimeInterval: 0.05)
application.form.modify { $0.passport = "90017733" }
button.send(value: ())
Thread.sleep(forTimeInterval: 0.1)
