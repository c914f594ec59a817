// Symptom: None. The chart shows what is stored, then what the well measures; it keeps the last minute
// alone, and pairs each level with the temperature of the same measurement.
// Looks at: points (the points of the chart)

import Foundation
import Varve

struct Point {
  var level: Double
  var celsius: Double
}

final class Well {
  let level: Signal<Double, Never>
  let celsius: Signal<Double, Never>
  private let levelInput: Signal<Double, Never>.Observer
  private let celsiusInput: Signal<Double, Never>.Observer
  private let probe = QueueScheduler(name: "probe")

  init() {
    (level, levelInput) = Signal.pipe()
    (celsius, celsiusInput) = Signal.pipe()
  }

  func measure(times: Int) -> SignalProducer<Int, Never> {
    SignalProducer.interval(.milliseconds(4), on: probe)
      .take(first: times)
      .on(
        completed: { [levelInput, celsiusInput] in
          levelInput.sendCompleted()
          celsiusInput.sendCompleted()
        },
        value: { [levelInput, celsiusInput] tick in
          levelInput.send(value: 12 - Double(tick) / 100)
          celsiusInput.send(value: 9 + Double(tick % 3) / 10)
        })
  }
}

final class ChartModel {
  let points: Property<[Point]>

  init(well: Well, stored: [Point]) {
    let measured = well.level.zip(with: well.celsius)
      .map { Point(level: $0, celsius: $1) }
    points = Property(
      initial: [],
      then: SignalProducer(stored)
        .concat(SignalProducer(measured))
        .scan([]) { points, point in (points + [point]).suffix(60) }
        .named("points"))
  }
}

let well = Well()
let stored = (1...20).map { Point(level: 12 + Double($0) / 50, celsius: 9) }
let chart = ChartModel(well: well, stored: stored)
print("stored: \(chart.points.value.count)")
_ = well.measure(times: 120).waitForEnd()
let last = chart.points.value.last
print(
  "\(chart.points.value.count) points, the last at \(last?.level ?? 0) m, \(last?.celsius ?? 0)°")
