// Symptom: When the loom runs fast, the picture of the cloth lags behind, by seconds in the end, and goes on
// after the loom has stopped.
// Looks at: threads (the picture of the cloth)
import Foundation
import Varve

struct Row {
  let row: Int
  let raised: [Bool]
}

final class Loom {
  let rows: Signal<Row, Never>
  private(set) var woven = 0
  private let input: Signal<Row, Never>.Observer
  private let motor = QueueScheduler(name: "motor")

  init() { (rows, input) = Signal.pipe() }

  func start() -> any Disposable {
    SignalProducer.interval(.milliseconds(2), on: motor)
      .startWithValues { [unowned self] row in
        woven += 1
        input.send(value: Row(row: row, raised: (0..<24).map { ($0 + row) % 4 < 2 }))
      }
  }
}

final class ClothView {
  private(set) var drawn = 0
  private let canvas = QueueScheduler(name: "canvas")

  init(_ loom: Loom) {
    loom.rows
      .observe(on: canvas)  // culprit
      .named("threads")
      .observeValues { [unowned self] in draw($0) }
  }

  private func draw(_ row: Row) {
    Thread.sleep(forTimeInterval: 0.007)
    drawn += 1
  }
}

let loom = Loom()
let view = ClothView(loom)
let running = loom.start()
Thread.sleep(forTimeInterval: 0.8)
running.dispose()
print("\(loom.woven) rows woven, \(view.drawn) drawn")
