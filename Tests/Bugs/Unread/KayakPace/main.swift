// Symptom: While I paddle, the big display shows nothing but dashes. My pace appears when I stop
// paddling.
// Looks at: the number on the display ("pace")

import Foundation
import Varve

struct Fix: Equatable {
  let metres: Double
  let second: Double
}

/// The receiver of the boat: a position every few milliseconds, as long as the boat moves.
final class BoatTracker {
  let fixes: Signal<Fix, Never>
  private let input: Signal<Fix, Never>.Observer
  private let started = Date()

  init() { (fixes, input) = Signal.pipe() }

  func paddle(from metres: Double, strokes: Int) -> Double {
    var position = metres
    for stroke in 0..<strokes {
      position += 0.02 + 0.01 * Double(stroke % 3)
      input.send(value: Fix(metres: position, second: Date().timeIntervalSince(started)))
      Thread.sleep(forTimeInterval: 0.01)
    }
    return position
  }
}

extension Signal where Value == Fix, Failure == Never {
  /// Metres a second between one fix and the next.
  func speed() -> Signal<Double, Never> {
    combinePrevious()
      .map { ($1.metres - $0.metres) / max($1.second - $0.second, 0.001) }
  }
}

final class PaceDisplay {
  let text: Property<String>

  init(_ tracker: BoatTracker, clock: any TimedScheduler) {
    let readable = tracker.fixes
      .speed()
      .debounce(.milliseconds(100), on: clock)  // culprit
      .map { String(format: "%.1f m/s", $0) }
    text = Property(initial: "--", then: readable.named("pace"))
  }
}

let tracker = BoatTracker()
let display = PaceDisplay(tracker, clock: QueueScheduler(name: "display"))

var metres = 0.0
for _ in 0..<4 {
  metres = tracker.paddle(from: metres, strokes: 15)
  print(String(format: "%.2f m", metres), " pace:", display.text.value)
}
Thread.sleep(forTimeInterval: 0.2)
print("resting, pace:", display.text.value)
