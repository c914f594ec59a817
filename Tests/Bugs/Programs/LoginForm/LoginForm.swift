// Symptom: I typed a wrong password and pressed “Log in”. Nothing happened: no message, nothing red,
// the button simply became grey for a moment.
// Looks at: message (the line below the button)
import Foundation
import Varve

enum LoginError: Error {
  case wrongPassword
  case locked(minutes: Int)
}

struct Session {
  let user: String
}

final class AccountServer: Sendable {
  private let queue = QueueScheduler(name: "account server")

  func logIn(_ user: String, _ password: String) -> SignalProducer<Session, LoginError> {
    SignalProducer<Session, LoginError> { () -> Result<Session, LoginError> in
      password == "hunter2" ? .success(Session(user: user)) : .failure(.wrongPassword)
    }
    .delay(.milliseconds(40), on: queue)
    .start(on: queue)
  }
}

final class LoginModel {
  let name = MutableProperty("")
  let password = MutableProperty("")
  let message = MutableProperty("")
  let logIn: Action<Void, Session, LoginError>

  init(_ server: AccountServer) {
    let fields = name.combineLatest(with: password)
    logIn = Action(state: fields, enabledIf: { !$0.0.isEmpty && !$0.1.isEmpty }) { fields, _ in
      server.logIn(fields.0, fields.1)
        .flatMapError { _ in .empty }  // culprit
    }
    message <~ logIn.values.map { "Welcome, \($0.user)" }
    message
      <~ logIn.errors.map { error in
        switch error {
        case .wrongPassword: "The password is wrong."
        case .locked(let minutes): "Try again in \(minutes) minutes."
        }
      }
  }
}

let model = LoginModel(AccountServer())
model.message.signal.observeValues { print("message: \($0)") }
model.logIn.isExecuting.signal.observeValues { print($0 ? "(button grey)" : "(button blue)") }

model.name.value = "mira"
model.password.value = "hunter3"
model.logIn.apply().start()
Thread.sleep(forTimeInterval: 0.3)
