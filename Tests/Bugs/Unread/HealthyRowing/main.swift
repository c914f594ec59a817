// Symptom: None. Each stroke is shown with the pulse of that stroke, and the label is set on the main thread.
// Looks at: strokes (the line on the display)
import Foundation
import Varve

final class Sensor {
  let readings: Signal<Int, Never>
  private let input: Signal<Int, Never>.Observer

  init() { (readings, input) = Signal.pipe() }

  func measure(_ reading: Int) { input.send(value: reading) }
}

final class Ergometer {
  let watts = Sensor()
  let pulse = Sensor()
  private let strap = QueueScheduler(name: "strap")
  private let rope = QueueScheduler(name: "rope")

  func pull(_ strength: Int) {
    rope.schedule { [watts] in watts.measure(120 + strength) }
    strap.schedule(after: .milliseconds(4)) { [pulse] in pulse.measure(90 + strength / 2) }
  }
}

final class RowingScreen {
  private(set) var label = ""
  private let strokes: Signal<(Int, Int), Never>
  private let observations = CompositeDisposable()

  init(_ ergometer: Ergometer) {
    strokes = Signal.zip(ergometer.watts.readings, ergometer.pulse.readings)
      .observe(on: QueueScheduler.main)
      .named("strokes")
    observations +=
      strokes
      .observeValues { [unowned self] watts, pulse in
        precondition(Thread.isMainThread)
        label = "\(watts) W, pulse \(pulse)"
      }
    observations +=
      strokes
      .map { $0.0 }
      .scan((0, 0)) { ($0.0 + 1, $0.1 + $1) }
      .filter { $0.0.isMultiple(of: 10) }
      .observeValues { count, sum in print("\(count) strokes, \(sum / count) W on average") }
  }

  deinit { observations.dispose() }
}

let ergometer = Ergometer()
var screen: RowingScreen? = RowingScreen(ergometer)
for stroke in 1...30 {
  ergometer.pull(stroke % 7 * 5)
  RunLoop.main.run(until: Date().addingTimeInterval(0.015))
}
print(screen?.label ?? "")
screen = nil
