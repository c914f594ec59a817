// Symptom: I mistype my password a single time, and my account is locked: "too many attempts".
// Looks at: login (what is sent to the university)
import Foundation
import Varve

enum LoginError: Error {
  case unreachable, wrongPassword, locked
}

final class University: Sendable {
  private struct State: Sendable {
    var contacts = 0
    var wrong = 0
  }
  private let state = MutableProperty(State())
  private let network = QueueScheduler(name: "university")

  var attempts: Int { state.value.contacts }

  func logIn(_ name: String, _ password: String) -> SignalProducer<String, LoginError> {
    SignalProducer { [state] () -> Result<String, LoginError> in
      state.modify { state in
        state.contacts += 1
        // The first contact after a while wakes the server up.
        if state.contacts == 1 { return .failure(.unreachable) }
        if state.wrong >= 3 { return .failure(.locked) }
        if password != "lupine-41" {
          state.wrong += 1
          return .failure(.wrongPassword)
        }
        return .success("token of \(name)")
      }
    }
    .start(on: network)
    .named("login")
  }
}

final class PortalModel: Sendable {
  let status = MutableProperty("")
  private let university: University
  private let timers = QueueScheduler(name: "timers")

  init(_ university: University) { self.university = university }

  func logIn(_ name: String, _ password: String) {
    status
      <~ university.logIn(name, password)
      .retry(upTo: 5, interval: .milliseconds(15), on: timers)  // culprit
      .map { _ in "welcome" }
      .flatMapError { error in
        SignalProducer(value: error == .locked ? "too many attempts" : "please try again")
      }
  }
}

let university = University()
let portal = PortalModel(university)
portal.status.signal.observeValues { print($0) }
portal.logIn("mira", "lupine-41")
Thread.sleep(forTimeInterval: 0.15)
portal.logIn("mira", "lupine-14")
Thread.sleep(forTimeInterval: 0.35)
portal.logIn("mira", "lupine-41")
Thread.sleep(forTimeInterval: 0.2)
print("\(university.attempts) attempts for 3 taps")
