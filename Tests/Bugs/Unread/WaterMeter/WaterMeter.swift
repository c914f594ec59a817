// Symptom: The app ran fine while the garden was being watered. When I closed the tap, it crashed
// some moments later.
// Looks at: flow (the litres per minute on the watch)
import Foundation
import Varve

struct Pulse: Sendable {
  let millilitres: Int
  let milliseconds: Int
}

func volume(of pulses: [Pulse]) -> Int { pulses.reduce(0) { $0 + $1.millilitres } }
func duration(of pulses: [Pulse]) -> Int { pulses.reduce(0) { $0 + $1.milliseconds } }

final class Meter {
  let (pulses, coil) = Signal<Pulse, Never>.pipe()
  private let radio = QueueScheduler(name: "radio")

  func run(seconds: Double, every step: Double) {
    let end = Date().addingTimeInterval(seconds)
    while Date() < end {
      radio.schedule { [coil] in coil.send(value: Pulse(millilitres: 50, milliseconds: 20)) }
      Thread.sleep(forTimeInterval: step)
    }
  }
}

final class WatchFace {
  let flow: Property<Int>
  let headline: Property<String>

  init(_ meter: Meter, on screen: QueueScheduler) {
    flow = Property(
      initial: 0,
      then: meter.pulses
        .filter { $0.millilitres > 0 }
        .collect(every: .milliseconds(60), on: screen)
        .map { 60 * volume(of: $0) / duration(of: $0) }  // culprit
        .skipRepeats())
    headline = flow.map { $0 == 0 ? "closed" : "\($0) l/min" }
  }
}

setlinebuf(stdout)
let meter = Meter()
let face = WatchFace(meter, on: QueueScheduler(name: "screen"))
face.flow.signal.named("flow").observeValues { print("flow: \($0)") }
face.headline.producer.startWithValues { print("watch: \($0)") }
print("(tap open)")
meter.run(seconds: 0.25, every: 0.01)
print("(tap closed)")
Thread.sleep(forTimeInterval: 0.8)
print("good bye")
