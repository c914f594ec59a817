// Symptom: None; this works.
// Looks at: strokes (the rate on the watch)

import Foundation
import Varve

final class PaddleSensor: Sendable {
  private let radio = QueueScheduler(name: "radio")

  func strokes() -> SignalProducer<Int, Never> {
    SignalProducer.interval(.milliseconds(8), on: radio)
      .map { 40 + $0 % 30 }
      .named("paddle")
  }
}

/// The watch draws slowly, so that it gets the newest rate now and then.
final class KayakWatch: Sendable {
  let isPaddling = MutableProperty(false, named: "paddling")
  let strokes = MutableProperty(0, named: "strokes")
  private let display = QueueScheduler(name: "display")

  init(sensor: PaddleSensor) {
    strokes
      <~ isPaddling.producer
      .skipRepeats()
      .flatMap(.latest) { isPaddling in
        isPaddling ? sensor.strokes() : SignalProducer(value: 0)
      }
      .throttle(.milliseconds(40), on: display)
  }
}

let watch = KayakWatch(sensor: PaddleSensor())
for _ in 1...2 {
  watch.isPaddling.value = true
  Thread.sleep(forTimeInterval: 0.15)
  print("\(watch.strokes.value) strokes a minute")
  watch.isPaddling.value = false
  Thread.sleep(forTimeInterval: 0.08)
  print("pause: \(watch.strokes.value)")
}
