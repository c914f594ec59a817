// Symptom: I stop running and stand still, but the treadmill still shows me my heart rate of half
// the workout ago, next to my speed of that time.
// Looks at: the line on the treadmill's panel ("panel")

import Foundation
import Varve

struct Effort: Sendable {
  let speed: Double
  let pulse: Int
}

final class Belt {
  private let motor = QueueScheduler(name: "motor")

  func speeds(_ plan: [Double]) -> SignalProducer<Double, Never> {
    .interval(plan, interval: .milliseconds(25), on: motor)
  }
}

/// A strap around the chest; it sends each beat, and a little more.
final class ChestStrap {
  private let radio = QueueScheduler(name: "radio")

  func pulse(_ beats: [Int]) -> SignalProducer<Int, Never> {
    SignalProducer.interval(beats, interval: .milliseconds(8), on: radio)
      .filter { (40...210).contains($0) }
  }
}

extension SignalProducer where Value == Effort, Failure == Never {
  func described() -> SignalProducer<String, Never> {
    map { String(format: "%.1f km/h  %d bpm", $0.speed, $0.pulse) }
  }
}

struct Panel {
  let line: Property<String>

  init(speed: SignalProducer<Double, Never>, pulse: SignalProducer<Int, Never>) {
    let effort = SignalProducer.zip(speed, pulse)  // culprit
      .map { Effort(speed: $0, pulse: $1) }
    line = Property(initial: "ready", then: effort.described().named("panel"))
  }
}

let plan = [4.0, 6, 8, 9, 10, 11, 11, 12, 12, 10, 8, 5, 3, 1, 0, 0, 0, 0, 0, 0]
let beats =
  (0..<62).map { beat in
    beat < 30 ? 90 + 3 * beat : max(180 - 4 * (beat - 30), 70)
  } + [0]

let panel = Panel(speed: Belt().speeds(plan), pulse: ChestStrap().pulse(beats))
for _ in 0..<6 {
  Thread.sleep(forTimeInterval: 0.1)
  print(panel.line.value)
}
print("the strap says \(beats[61]) bpm, the panel:", panel.line.value)
