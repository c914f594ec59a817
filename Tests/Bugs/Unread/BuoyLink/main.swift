// Symptom: Since the key was changed the modem of the station dials without a pause, the bill is
// horrendous, and there are no waves on the display.
// Looks at: waves (the height of the waves)
import Foundation
import Varve

enum RadioError: Error {
  case noCarrier
  case wrongKey
}

final class BuoyModem {
  private(set) var calls = 0
  private let line = QueueScheduler(name: "line")
  private let key = "4711"

  func connect(with key: String) -> SignalProducer<Double, RadioError> {
    SignalProducer { [self] observer, lifetime in
      calls += 1
      lifetime += line.schedule(after: .milliseconds(2)) { [self] in
        guard key == self.key else { return observer.send(error: .wrongKey) }
        observer.send(value: 1.4)
      }
    }
    .named("waves")
  }
}

final class BuoyStation {
  private(set) var display = "…"
  private let modem: BuoyModem
  private let observations = CompositeDisposable()

  init(_ modem: BuoyModem) { self.modem = modem }

  func open(key: String) {
    observations += modem.connect(with: key)
      .retry()  // culprit
      .startWithResult { [unowned self] result in
        switch result {
        case .success(let metres): display = "\(metres) m"
        case .failure(let error): display = "no contact (\(error))"
        }
      }
  }

  func close() { observations.dispose() }
}

let modem = BuoyModem()
let station = BuoyStation(modem)
station.open(key: "0815")
Thread.sleep(forTimeInterval: 0.8)
station.close()
print("the display says \(station.display), \(modem.calls) calls")
