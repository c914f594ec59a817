// Symptom: I was in a tunnel when I wanted to unlock the bike, and got “No connection”. I tried again,
// and the lock opened. The red line is still there while I ride.
// Looks at: warning (the red line)
import Foundation
import Varve

enum LockError: Error {
  case noConnection
  case lowBattery
}

final class LockServer: Sendable {
  let isOnline = MutableProperty(false)
  private let network = QueueScheduler(name: "locks")

  func send(_ command: String, to bike: Int) -> SignalProducer<Void, LockError> {
    SignalProducer { [isOnline] () -> Result<Void, LockError> in
      isOnline.value ? .success(()) : .failure(.noConnection)
    }
    .start(on: network)
    .delay(.milliseconds(10), on: network)
  }
}

final class RentalModel {
  let warning = MutableProperty<String?>(nil)
  let isRiding = MutableProperty(false)
  let unlock: Action<Int, Never, LockError>

  init(_ server: LockServer) {
    unlock = Action(named: "unlock") { bike in
      server.send("wake", to: bike)
        .then(server.send("open", to: bike))
        .then(SignalProducer<Never, LockError>.empty)
    }
    isRiding <~ unlock.completed.map(value: true)
    warning
      <~ unlock.errors.map { error in
        switch error {
        case .noConnection: "No connection"
        case .lowBattery: "The lock has to be charged"
        }
      }
    warning <~ unlock.values.map(value: nil)  // culprit
  }

  func tap(bike: Int) { unlock.apply(bike).start() }
}

let server = LockServer()
let model = RentalModel(server)
model.warning.signal.named("warning").observeValues { print("red line: \($0 ?? "-")") }
model.isRiding.signal.observeValues { print($0 ? "the lock is open" : "locked") }

model.tap(bike: 7)
Thread.sleep(forTimeInterval: 0.1)
server.isOnline.value = true
model.tap(bike: 7)
Thread.sleep(forTimeInterval: 0.1)
print("riding: \(model.isRiding.value), red line: \(model.warning.value ?? "-")")
