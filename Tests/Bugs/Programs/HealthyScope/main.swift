// Symptom: None. The converter is faster than the screen, which draws what is newest.
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

  func takeOff() {
    ticks?.dispose()
    queue.schedule { [converter] in converter.sendCompleted() }
  }
}

final class Scope {
  private let graphics = QueueScheduler(name: "graphics")
  let drawn = MutableProperty(0)
  let peak = MutableProperty(0.0)

  func show(_ probe: Probe) {
    peak <~ probe.samples.map { abs($0.volts) }.scan(0, max).skipRepeats()
    probe.samples
      .throttle(.milliseconds(25), on: graphics)
      .named("curve")
      .observeValues { [drawn] sample in
        Thread.sleep(forTimeInterval: 0.004)
        drawn.value = sample.index
      }
  }
}

let probe = Probe()
let scope = Scope()
scope.show(probe)
probe.connect()
Thread.sleep(forTimeInterval: 0.5)
probe.takeOff()
Thread.sleep(forTimeInterval: 0.06)
print("drawn up to \(scope.drawn.value), at most \(scope.peak.value) V")
