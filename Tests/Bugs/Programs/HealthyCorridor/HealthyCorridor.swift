// Symptom: none. The board is drawn on the main thread, and not more often than needed.
// Looks at: board (the text of the board)
import Foundation
import Varve

final class Theatre: Sendable {
  let minutesLeft = MutableProperty(90)
  private let monitor = QueueScheduler(name: "monitor")

  func estimate(_ minutes: Int) {
    monitor.schedule { [minutesLeft] in minutesLeft.value = minutes }
  }
}

final class CorridorBoard: Sendable {
  private let (lifetime, token) = Lifetime.make()
  private let calm = QueueScheduler(name: "calm")

  func draw(_ text: String) {
    print(Thread.isMainThread ? "drawn: \(text)" : "drawn elsewhere: \(text)")
  }

  func show(_ theatre: Theatre) {
    theatre.minutesLeft.producer
      .skipRepeats()
      .throttle(.milliseconds(60), on: calm)
      .map { "room 3: \($0) min" }
      .observe(on: UIScheduler())
      .take(during: lifetime)
      .named("board")
      .startWithValues { [weak self] in self?.draw($0) }
  }
}

let board = CorridorBoard()
let theatre = Theatre()
board.show(theatre)
for minutes in [80, 79, 78, 60, 45] {
  theatre.estimate(minutes)
  RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.04))
}
RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.15))
