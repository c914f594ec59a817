// Symptom: I play with a clock. From my second move on, my time runs faster and faster, and it
// also runs while my opponent is thinking.
// Looks at: the time of white (the property "white")
import Foundation
import Varve

enum Side {
  case white, black
}

final class ChessClock {
  let white = MutableProperty(6_000, named: "white")
  let black = MutableProperty(6_000, named: "black")
  private let clock = QueueScheduler(name: "clock")
  private let running = CompositeDisposable()

  func start(_ side: Side) {
    let time = side == .white ? white : black
    running += SignalProducer.interval(.milliseconds(10), on: clock)  // culprit
      .startWithValues { _ in time.modify { $0 -= 10 } }
  }

  func press(by side: Side) { start(side == .white ? .black : .white) }

  func stop() { running.dispose() }
}

let clock = ChessClock()
clock.white.signal
  .filter { $0 % 100 == 0 }
  .observeValues { print("white has \($0) ms") }
clock.start(.white)
for _ in 0..<3 {
  Thread.sleep(forTimeInterval: 0.1)
  clock.press(by: .white)
  Thread.sleep(forTimeInterval: 0.1)
  clock.press(by: .black)
}
clock.stop()
print("white thought for 300 ms and was charged \(6_000 - clock.white.value) ms")
