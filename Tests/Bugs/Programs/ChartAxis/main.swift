// Symptom: The chart on the dashboard flips upside down for an instant when the load jumps; our
// assertion that the axis is the right way round fails.
// Looks at: the range of the axis ("axis")

import Foundation
import Varve

struct Window {
  var samples: [Int]
}

final class LoadMeter {
  let windows: Signal<Window, Never>
  private let input: Signal<Window, Never>.Observer
  private let queue = QueueScheduler(name: "meter")

  init() { (windows, input) = Signal.pipe() }

  func run() -> any Disposable {
    SignalProducer.interval(.milliseconds(25), on: queue).startWithValues { [input] tick in
      let base = (tick / 4) % 2 == 0 ? 10 : 400
      input.send(value: Window(samples: (0..<8).map { base + ($0 * 7 + tick) % 23 }))
    }
  }
}

final class ChartModel {
  let axis: Signal<(low: Int, high: Int), Never>

  init(meter: LoadMeter) {
    let low = meter.windows.map { $0.samples.min() ?? 0 }
    let high = meter.windows.map { $0.samples.max() ?? 0 }
    axis = high.combineLatest(with: low)  // culprit
      .map { (low: $1, high: $0) }
      .named("axis")
  }
}

final class ChartView {
  private(set) var redraws = 0
  private(set) var flips = 0

  func redraw(low: Int, high: Int) {
    redraws += 1
    if low > high { flips += 1 }
  }
}

let meter = LoadMeter()
let chart = ChartModel(meter: meter)
let view = ChartView()
chart.axis.observeValues { view.redraw(low: $0.low, high: $0.high) }
let running = meter.run()
Thread.sleep(forTimeInterval: 1)
running.dispose()
print("\(view.redraws) redraws, \(view.flips) of them upside down")
