// Symptom: The climb rate on the panel is from long ago. The longer I fly, the further it lags
// behind what the vario says.
// Looks at: the line on the panel ("panel")

import Foundation
import Varve

struct Fix: Equatable {
  var height: Int
  var track: Int
}

struct Reading {
  var fix: Fix
  var climb: Double
}

final class Instruments {
  let fixes: Signal<Fix, Never>
  let climbs: Signal<Double, Never>
  private let gps: Signal<Fix, Never>.Observer
  private let vario: Signal<Double, Never>.Observer
  private let queue = DispatchQueue(label: "serial port")

  init() {
    (fixes, gps) = Signal.pipe(named: "gps")
    (climbs, vario) = Signal.pipe(named: "vario")
  }

  /// Plays a flight: the vario speaks every 10 ms, the receiver at every fifth of these.
  func fly(steps: Int) {
    queue.sync {
      for step in 0..<steps {
        vario.send(value: Double(step) / 10)
        if step.isMultiple(of: 5) {
          gps.send(value: Fix(height: 900 + step, track: 270))
        }
        Thread.sleep(forTimeInterval: 0.01)
      }
    }
  }
}

final class Panel {
  let line = MutableProperty("--")

  init(_ instruments: Instruments) {
    line
      <~ instruments.fixes
      .zip(with: instruments.climbs)  // culprit
      .map { Reading(fix: $0, climb: $1) }
      .map { "\($0.fix.height) m, \($0.fix.track)°, \($0.climb) m/s" }
      .named("panel")
  }
}

let instruments = Instruments()
let panel = Panel(instruments)
instruments.fly(steps: 60)
print(panel.line.value)
