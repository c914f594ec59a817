// Symptom: In the log of my run the pulse at the summit is the one from the car park, and the app
// is killed for its memory on long runs.
// Looks at: the points of the log ("points")

import Foundation
import Varve

struct Position {
  var meters: Int
}

struct LogPoint {
  var meters: Int
  var pulse: Int
  var pulseAge: Double
}

final class Watch {
  let pulses: Signal<(Int, Date), Never>
  let positions: Signal<Position, Never>
  private let pulseInput: Signal<(Int, Date), Never>.Observer
  private let positionInput: Signal<Position, Never>.Observer
  private let bluetooth = QueueScheduler(name: "bluetooth")
  private let gps = QueueScheduler(name: "gps")
  private let running = CompositeDisposable()

  init() {
    (pulses, pulseInput) = Signal.pipe()
    (positions, positionInput) = Signal.pipe()
  }

  func start() {
    running += SignalProducer.interval(.milliseconds(3), on: bluetooth)
      .startWithValues { [pulseInput] in pulseInput.send(value: (90 + $0 / 10, Date())) }
    running += SignalProducer.interval(.milliseconds(40), on: gps)
      .startWithValues { [positionInput] in positionInput.send(value: Position(meters: $0 * 5)) }
  }

  func stop() { running.dispose() }
}

final class RunLog {
  private(set) var points: [LogPoint] = []

  func record(_ watch: Watch) {
    Signal.zip(watch.positions, watch.pulses)  // culprit
      .map { position, pulse in
        LogPoint(
          meters: position.meters, pulse: pulse.0,
          pulseAge: Date().timeIntervalSince(pulse.1))
      }
      .named("points")
      .observeValues { [unowned self] in points.append($0) }
  }
}

let watch = Watch()
let log = RunLog()
log.record(watch)
watch.start()
Thread.sleep(forTimeInterval: 1.2)
watch.stop()
for point in log.points.suffix(2) {
  print("\(point.meters) m, pulse \(point.pulse), measured \(point.pulseAge) s before")
}
