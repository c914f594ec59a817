// Symptom: Since the gateway of the house has a wrong password, it knocks at the server of the
// power company without any pause; they have blocked our whole street.
// Looks at: knocks (what the server gets)
import Foundation
import Varve

struct Rejected: Error {
  let reason: String
}

final class PowerCompany {
  let knocks: Signal<String, Never>
  private let log: Signal<String, Never>.Observer
  private let server = QueueScheduler(name: "server")

  init() { (knocks, log) = Signal.pipe() }

  func send(_ reading: Int, password: String) -> SignalProducer<Int, Rejected> {
    SignalProducer { [log, server] observer, lifetime in
      lifetime += server.schedule {
        log.send(value: "reading \(reading)")
        guard password == "volt" else { return observer.send(error: Rejected(reason: "password")) }
        observer.send(value: reading)
        observer.sendCompleted()
      }
    }
  }
}

final class Gateway {
  let accepted = MutableProperty(0)
  private let sending = SerialDisposable()
  private let company: PowerCompany
  private let password: String

  init(_ company: PowerCompany, password: String) {
    self.company = company
    self.password = password
  }

  func report(_ reading: Int) {
    sending.inner = company.send(reading, password: password)
      .retry()  // culprit
      .startWithResult { [accepted] in
        if case .success(let reading) = $0 { accepted.value = reading }
      }
  }

  func switchOff() { sending.dispose() }
}

let company = PowerCompany()
let knocks = MutableProperty(0)
company.knocks.named("knocks").observeValues { _ in knocks.modify { $0 += 1 } }
let gateway = Gateway(company, password: "ampere")
gateway.report(48_210)
Thread.sleep(forTimeInterval: 0.15)
gateway.switchOff()
print("accepted: \(gateway.accepted.value), knocks at the server: \(knocks.value)")
