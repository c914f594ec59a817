// Symptom: Now and then the number of the height is torn on the screen, and the debugger complains that the
// label was set away from the main thread.
// Looks at: altitude (the big number)
import Foundation
import Varve

final class Sensor {
  let metres: Signal<Double, Never>
  private let input: Signal<Double, Never>.Observer
  private let queue: QueueScheduler

  init(_ name: String) {
    (metres, input) = Signal.pipe()
    queue = QueueScheduler(name: name)
  }

  func run(every pause: Int, from start: Double) -> any Disposable {
    SignalProducer.interval(.milliseconds(pause), on: queue)
      .startWithValues { [input] in input.send(value: start + Double($0)) }
  }
}

final class FlightScreen {
  private(set) var label = ""
  private(set) var faults = 0

  init(gps: Sensor, barometer: Sensor) {
    Signal.merge(gps.metres.observe(on: QueueScheduler.main), barometer.metres)  // culprit
      .map { $0.rounded() }
      .skipRepeats()
      .named("altitude")
      .observeValues { [unowned self] metres in
        if !Thread.isMainThread { faults += 1 }
        label = "\(Int(metres)) m"
      }
  }
}

let gps = Sensor("gps")
let barometer = Sensor("barometer")
let screen = FlightScreen(gps: gps, barometer: barometer)
let flight = CompositeDisposable([
  gps.run(every: 8, from: 1_200), barometer.run(every: 190, from: 1_234),
])
RunLoop.main.run(until: Date().addingTimeInterval(0.8))
flight.dispose()
print("\(screen.label), set \(screen.faults) times away from the main thread")
