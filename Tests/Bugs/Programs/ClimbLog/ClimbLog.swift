// Symptom: The record of each climb breaks off some metres below the summit.
// Looks at: stored (the points that are stored)
import Foundation
import Varve

struct Point: Sendable {
  let metres: Int
  let pulse: Int
}

final class Watch: Sendable {
  let points: Signal<Point, Never>
  private let input: Signal<Point, Never>.Observer

  init() { (points, input) = Signal.pipe() }

  func measure(_ metres: Int) {
    input.send(value: Point(metres: metres, pulse: 120 + metres % 17))
  }
  func stop() { input.sendCompleted() }
}

final class Store: Sendable {
  let points = MutableProperty<[Point]>([])
  private let writes = MutableProperty(0)

  func append(_ batch: [Point]) {
    writes.value += 1
    points.modify { $0 += batch }
    print("write \(writes.value): \(batch.count) points")
  }
}

final class ClimbModel: Sendable {
  let pulse = MutableProperty(0)
  private let flash = QueueScheduler(name: "flash")

  init(watch: Watch, store: Store) {
    pulse <~ watch.points.map(\.pulse)
    // The flash memory wears out if each point is written alone.
    watch.points
      .collect(every: .milliseconds(100), on: flash, skipEmpty: true)  // culprit
      .named("stored")
      .observeValues { store.append($0) }
  }
}

let watch = Watch()
let store = Store()
let model = ClimbModel(watch: watch, store: store)
for metres in 1...26 {
  watch.measure(metres * 10)
  Thread.sleep(forTimeInterval: 0.01)
}
watch.stop()
Thread.sleep(forTimeInterval: 0.2)
print("climbed 260 m, stored up to \(store.points.value.last?.metres ?? 0) m")
