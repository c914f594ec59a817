// Symptom: The checker of our harbour radar says that the echoes are drawn outside the draw
// queue, sometimes two at once.
// Looks at: the echoes that are drawn ("drawn")
import Foundation
import Varve

struct Echo {
  let bearing: Int
  let distance: Int
}

let key = DispatchSpecificKey<Bool>()
let drawing = QueueScheduler(name: "draw")
drawing.queue.setSpecific(key: key, value: true)

final class Antenna {
  let echoes: Signal<Echo, Never>
  private let input: Signal<Echo, Never>.Observer
  private let receiver = QueueScheduler(name: "receiver")

  init() { (echoes, input) = Signal.pipe() }

  func turn() {
    for bearing in stride(from: 0, to: 360, by: 20) {
      receiver.schedule(after: .milliseconds(bearing)) { [input] in
        input.send(value: Echo(bearing: bearing, distance: bearing * 7 % 90))
      }
    }
  }
}

final class Screen {
  private(set) var wrong = 0
  private let filter = QueueScheduler(name: "clutter filter")

  init(_ antenna: Antenna) {
    antenna.echoes
      .observe(on: drawing)
      .filter { $0.distance > 3 }
      .delay(.milliseconds(5), on: filter)  // culprit
      .named("drawn")
      .observeValues { [unowned self] in draw($0) }
  }

  private func draw(_ echo: Echo) {
    if DispatchQueue.getSpecific(key: key) != true { wrong += 1 }
  }
}

let antenna = Antenna()
let screen = Screen(antenna)
antenna.turn()
Thread.sleep(forTimeInterval: 0.5)
print("\(screen.wrong) echoes were drawn outside the draw queue")
