// Symptom: About once in every few drives the app crashes in the drawing of the blue dot. The
// report shows the drawing on a thread where it has no business.
// Looks at: the place of the dot (the property "dot")

import Foundation
import Varve

let ui = QueueScheduler(name: "ui")
let uiKey = DispatchSpecificKey<Bool>()
ui.queue.setSpecific(key: uiKey, value: true)

struct Place: Equatable {
  var x: Double
  var y: Double
}

final class Receiver {
  private let gps = QueueScheduler(name: "gps")

  func fixes() -> SignalProducer<Place, Never> {
    SignalProducer.interval(.milliseconds(10), on: gps)
      .map { Place(x: Double($0), y: Double($0 / 2)) }
      .observe(on: ui)
  }
}

final class DotModel {
  let dot = MutableProperty(Place(x: 0, y: 0), named: "dot")
  private let motion = QueueScheduler(name: "motion")

  init(receiver: Receiver) { dot <~ receiver.fixes() }

  /// In a tunnel the place is guessed from the last speed.
  func enterTunnel() {
    motion.schedule { [self] in
      dot.modify { place in  // culprit
        place.x += 1.5
        place.y += 0.7
      }
    }
  }
}

final class DotView {
  private(set) var drawn = 0
  private(set) var violations = 0

  func draw(_ place: Place) {
    if DispatchQueue.getSpecific(key: uiKey) == nil { violations += 1 }
    drawn += 1
  }
}

let view = DotView()
let model = DotModel(receiver: Receiver())
model.dot.signal.observeValues { view.draw($0) }
for leg in 0..<10 {
  Thread.sleep(forTimeInterval: 0.1)
  if leg == 4 || leg == 7 { model.enterTunnel() }
}
print("drawn \(view.drawn) times, \(view.violations) times on another thread")
