// Symptom: The values on the ground station are fresh when we connect and minutes old after a
// while, and the process on the drone grows.
// Looks at: the sent measurements ("uplink")

import Foundation
import Varve

struct Measurement {
  var number: Int
  var taken: Date
  var volts: Double
}

final class Probe {
  private let queue = QueueScheduler(name: "probe")

  func measurements() -> SignalProducer<Measurement, Never> {
    SignalProducer.interval(.milliseconds(1), on: queue)
      .map { Measurement(number: $0, taken: Date(), volts: 11.1 + Double($0 % 9) / 10) }
  }
}

final class Uplink {
  private let queue = QueueScheduler(name: "uplink")
  private(set) var lag = 0.0
  private(set) var sent = 0

  func forward(_ measurements: SignalProducer<Measurement, Never>) -> any Disposable {
    measurements
      .filter { $0.volts > 11 }
      .observe(on: queue)  // culprit
      .named("uplink")
      .startWithValues { [unowned self] in send($0) }
  }

  private func send(_ measurement: Measurement) {
    Thread.sleep(forTimeInterval: 0.006)
    sent += 1
    lag = Date().timeIntervalSince(measurement.taken)
  }
}

let probe = Probe()
let uplink = Uplink()
let running = uplink.forward(probe.measurements())
Thread.sleep(forTimeInterval: 1.3)
running.dispose()
print("sent \(uplink.sent), the last one \(Int(uplink.lag * 1000)) ms old")
