// Symptom: The wind arrow is right, but the curve below it lags: at the end of a gust it shows what
// was seconds ago.
// Looks at: the curve ("curve")

import Foundation
import Varve

struct Gust {
  let knots: Double
  let measured: Date
}

final class Anemometer {
  let gusts: Signal<Gust, Never>
  private let input: Signal<Gust, Never>.Observer

  init() { (gusts, input) = Signal.pipe(named: "gusts") }

  /// The driver calls this some hundred times a second.
  func measured(_ knots: Double) {
    input.send(value: Gust(knots: knots, measured: Date()))
  }
}

final class Chart {
  private var points: [Double] = []
  private(set) var lag = 0.0

  func draw(_ gust: Gust) {
    points.append(gust.knots)
    // The whole curve is drawn anew for each point.
    Thread.sleep(forTimeInterval: 0.008)
    lag = Date().timeIntervalSince(gust.measured)
  }
}

final class Cockpit {
  let chart = Chart()
  private(set) var arrow = 0.0
  private let drawing = QueueScheduler(name: "drawing")

  init(_ anemometer: Anemometer) {
    anemometer.gusts
      .observeValues { [weak self] in self?.arrow = $0.knots }
    anemometer.gusts
      .filter { $0.knots >= 0 }
      .observe(on: drawing)  // culprit
      .named("curve")
      .observeValues { [chart] in chart.draw($0) }
  }
}

let anemometer = Anemometer()
let cockpit = Cockpit(anemometer)
for sample in 0..<250 {
  anemometer.measured(12 + 5 * sin(Double(sample) / 20))
  Thread.sleep(forTimeInterval: 0.002)
}
print(String(format: "arrow %.1f kn, the curve is %.2f s behind", cockpit.arrow, cockpit.chart.lag))
Thread.sleep(forTimeInterval: 0.4)
