// Symptom: The page of the lighthouse has said "connecting" since the storm, and the operator of the
// radio network has sent us a bill for thousands of calls in one night.
// Looks at: the state of the lamp ("lamp")
import Foundation
import Varve

enum RadioError: Error {
  case noCarrier
}

struct LampState {
  let isLit: Bool
  let volts: Double
}

final class RadioModem {
  private let queue = QueueScheduler(name: "modem")
  private let mastIsUp: Bool

  init(mastIsUp: Bool) { self.mastIsUp = mastIsUp }

  func dial(_ station: String) -> SignalProducer<LampState, RadioError> {
    SignalProducer { [queue, mastIsUp] observer, lifetime in
      lifetime += queue.schedule(after: .milliseconds(1)) {
        guard mastIsUp else {
          observer.send(error: .noCarrier)
          return
        }
        observer.send(value: LampState(isLit: true, volts: 24.1))
        observer.sendCompleted()
      }
    }
  }
}

final class StationPage {
  let text = MutableProperty("connecting")
  private let modem: RadioModem

  init(modem: RadioModem) { self.modem = modem }

  func open(_ station: String) -> Disposable? {
    modem.dial(station)
      .retry()  // culprit
      .named("lamp")
      .startWithResult { [text] result in
        guard case .success(let lamp) = result else { return }
        text.value = "\(lamp.isLit ? "lit" : "dark"), \(lamp.volts) V"
      }
  }
}

let page = StationPage(modem: RadioModem(mastIsUp: false))
let connection = page.open("Skerry North")
Thread.sleep(forTimeInterval: 0.8)
print(page.text.value)
connection?.dispose()
