// Symptom: The wind in the log does not fit the position: the longer we sail, the older it is. A gust
// is in the log a mile after it.
// Looks at: the entries of the log ("log")

import Foundation
import Varve

struct Wind {
  var knots: Double
  var angle: Int
}

struct Position {
  var mile: Double
}

final class Instruments {
  let wind: Signal<Wind, Never>
  let position: Signal<Position, Never>
  private let windInput: Signal<Wind, Never>.Observer
  private let positionInput: Signal<Position, Never>.Observer
  private let bus = QueueScheduler(name: "nmea")
  private let running = CompositeDisposable()

  init() {
    (wind, windInput) = Signal.pipe()
    (position, positionInput) = Signal.pipe()
  }

  func start() {
    running += SignalProducer.interval(.milliseconds(4), on: bus)
      .startWithValues { [windInput] tick in
        windInput.send(value: Wind(knots: 8 + Double(tick) / 10, angle: 40 + tick % 7))
      }
    running += SignalProducer.interval(.milliseconds(40), on: bus)
      .startWithValues { [positionInput] in
        positionInput.send(value: Position(mile: Double($0) / 4))
      }
  }

  func stop() { running.dispose() }
}

final class LogBook {
  let entries: Property<[String]>

  init(instruments: Instruments) {
    let smoothed = instruments.wind
      .scan(nil as Wind?) { last, wind in
        Wind(knots: ((last?.knots ?? wind.knots) + wind.knots) / 2, angle: wind.angle)
      }
      .skipNil()
    entries = Property(
      initial: [],
      then: instruments.position
        .zip(with: smoothed)  // culprit
        .map { position, wind in "mile \(position.mile): \(wind.knots.rounded()) kn" }
        .named("log")
        .scan(into: []) { lines, line in lines.append(line) })
  }
}

let instruments = Instruments()
let log = LogBook(instruments: instruments)
let latest = Property(initial: Wind(knots: 0, angle: 0), then: instruments.wind)
instruments.start()
Thread.sleep(forTimeInterval: 0.7)
instruments.stop()
print(log.entries.value.suffix(3).joined(separator: "\n"))
print("wind now: \(latest.value.knots) kn")
