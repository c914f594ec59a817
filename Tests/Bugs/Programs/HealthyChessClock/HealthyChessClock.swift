// Symptom: None. Only the clock of the player who thinks is running.
// Looks at: the time of white (the property "white")
import Foundation
import Varve

final class ChessClock {
  let white = MutableProperty(6_000, named: "white")
  let black = MutableProperty(6_000, named: "black")
  private let clock = QueueScheduler(name: "clock")
  private let running = SerialDisposable()

  func start(white isWhite: Bool) {
    let time = isWhite ? white : black
    running.inner = SignalProducer.interval(.milliseconds(10), on: clock)
      .startWithValues { _ in time.modify { $0 -= 10 } }
  }

  func stop() { running.dispose() }
}

let clock = ChessClock()
clock.white.signal.observeValues { print("white: \($0)") }
for move in 0..<6 {
  clock.start(white: move.isMultiple(of: 2))
  Thread.sleep(forTimeInterval: 0.1)
}
clock.stop()
print("white \(clock.white.value), black \(clock.black.value)")
