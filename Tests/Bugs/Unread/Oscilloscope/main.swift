// Symptom: I take the probe off, and the curve on the scope goes on for seconds. The longer I measure,
// the later it shows what I do.
// Looks at: the points that are drawn ("curve")
import Foundation
import Varve

struct Sample {
  let index: Int
  let volts: Double
}

final class Probe {
  let (samples, converter) = Signal<Sample, Never>.pipe(named: "samples")
  private let queue = QueueScheduler(name: "converter")
  private var ticks: Disposable?

  func connect() {
    var index = 0
    ticks = queue.schedule(after: .zero, every: .milliseconds(1)) { [converter] in
      index += 1
      converter.send(value: Sample(index: index, volts: 3.3 * sin(Double(index) / 40)))
    }
  }

  func takeOff() { ticks?.dispose() }
}

final class Canvas {
  private(set) var points: [(Int, Int)] = []

  /// Draws the curve anew, as the library for graphics wants it.
  func draw(_ sample: Sample) {
    points.append((sample.index, Int(sample.volts * 100)))
    Thread.sleep(forTimeInterval: 0.004)
  }
}

final class Scope {
  private let graphics = QueueScheduler(name: "graphics")
  private let canvas = Canvas()
  let drawn = MutableProperty(0)

  func show(_ probe: Probe) {
    probe.samples
      .filter { $0.volts.isFinite }
      .observe(on: graphics)  // culprit
      .named("curve")
      .observeValues { [canvas, drawn] sample in
        canvas.draw(sample)
        drawn.value = sample.index
      }
  }
}

let probe = Probe()
let scope = Scope()
scope.show(probe)
probe.connect()
Thread.sleep(forTimeInterval: 0.6)
probe.takeOff()
print("drawn when the probe was taken off: \(scope.drawn.value)")
Thread.sleep(forTimeInterval: 0.5)
print("half a second later: \(scope.drawn.value)")
