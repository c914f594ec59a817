// Symptom: None. The modem has no carrier at first, and the waves are shown from the third call on.
// Looks at: waves (the height of the waves)
import Foundation
import Varve

enum RadioError: Error {
  case noCarrier
}

final class BuoyModem {
  private(set) var calls = 0
  private let line = QueueScheduler(name: "line")

  func connect() -> SignalProducer<Double, RadioError> {
    SignalProducer { [self] observer, lifetime in
      calls += 1
      let isFree = calls > 2
      lifetime += line.schedule(after: .milliseconds(5), every: .milliseconds(15)) {
        guard isFree else { return observer.send(error: .noCarrier) }
        observer.send(value: 1.4 + Double.random(in: 0..<0.5))
      }
    }
  }
}

final class BuoyStation {
  let waves = MutableProperty(0.0, named: "waves")
  private(set) var state = "…"
  private let clock = QueueScheduler(name: "clock")
  private let observations = CompositeDisposable()

  func open(_ modem: BuoyModem) {
    observations += modem.connect()
      .retry(upTo: 5, interval: .milliseconds(40), on: clock)
      .startWithResult { [unowned self] result in
        switch result {
        case .success(let metres):
          state = "on line"
          waves.value = (metres * 10).rounded() / 10
        case .failure(let error): state = "no contact (\(error))"
        }
      }
  }

  func close() { observations.dispose() }
}

let modem = BuoyModem()
let station = BuoyStation()
station.waves.signal.skipRepeats().observeValues { print("\($0) m") }
station.open(modem)
Thread.sleep(forTimeInterval: 0.6)
station.close()
print("\(station.state), \(modem.calls) calls")
