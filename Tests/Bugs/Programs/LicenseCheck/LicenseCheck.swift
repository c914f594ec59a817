// Symptom: Since my license has run out, the app calls its server many times a second, as my router
// shows, and the battery is empty by noon.
// Looks at: requests (what the server is asked)
import Foundation
import Varve

struct License {
  let key: String
  let seats: Int
}

enum LicenseError: Error {
  case offline
  case expired
}

final class LicenseServer: Sendable {
  let requests: Signal<String, Never>
  private let input: Signal<String, Never>.Observer
  private let network = QueueScheduler(name: "network")
  private let valid = ["FAMILY-2031": 5]

  init() { (requests, input) = Signal.pipe(named: "requests") }

  func check(_ key: String) -> SignalProducer<License, LicenseError> {
    SignalProducer { [input, network, valid] observer, lifetime in
      input.send(value: key)
      lifetime += network.schedule(after: .milliseconds(4)) {
        guard let seats = valid[key] else { return observer.send(error: .expired) }
        observer.send(value: License(key: key, seats: seats))
        observer.sendCompleted()
      }
    }
  }
}

final class LicenseModel {
  let license = MutableProperty<License?>(nil)
  let notice: Property<String>
  private let server: LicenseServer

  init(_ server: LicenseServer) {
    self.server = server
    notice = license.map { $0.map { "For \($0.seats) people" } ?? "No valid license" }
  }

  func check(_ key: String) {
    license
      <~ server.check(key)
      .retry()  // culprit
      .map { Optional($0) }
      .flatMapError { _ in SignalProducer(value: nil) }
  }
}

final class AboutWindow {
  init(_ model: LicenseModel) {
    model.notice.producer.skipRepeats().startWithValues { print($0) }
  }
}

let server = LicenseServer()
let calls = Property(initial: 0, then: server.requests.scan(0) { count, _ in count + 1 })
let model = LicenseModel(server)
let window = AboutWindow(model)
model.check("FAMILY-2031")
Thread.sleep(forTimeInterval: 0.1)
model.check("TRIAL-2024")
Thread.sleep(forTimeInterval: 0.4)
print("\(calls.value) requests")
