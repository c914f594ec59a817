// Symptom: The board in the corridor flashes and draws half a line. The layout engine complains
// that it was called from a thread other than the main one.
// Looks at: board (the text of the board)
import Foundation
import Varve

struct Operation: Equatable, Sendable {
  let room: Int
  let minutesLeft: Int
}

final class Theatre: Sendable {
  let operation: MutableProperty<Operation>
  private let monitor: QueueScheduler

  init(room: Int) {
    operation = MutableProperty(Operation(room: room, minutesLeft: 90))
    monitor = QueueScheduler(name: "monitor \(room)")
  }

  func estimate(_ minutes: Int) {
    monitor.schedule { [operation] in
      operation.value = Operation(room: operation.value.room, minutesLeft: minutes)
    }
  }
}

final class CorridorBoard: Sendable {
  private let calm = QueueScheduler(name: "calm")

  func draw(_ text: String) {
    print(Thread.isMainThread ? "drawn: \(text)" : "DRAWN OFF MAIN: \(text)")
  }

  func show(_ theatre: Theatre) {
    theatre.operation.producer
      .map { "room \($0.room): \($0.minutesLeft) min" }
      .observe(on: UIScheduler())
      .skipRepeats()
      .throttle(.milliseconds(60), on: calm)  // culprit
      .named("board")
      .startWithValues { [unowned self] in draw($0) }
  }
}

let board = CorridorBoard()
let theatre = Theatre(room: 3)
board.show(theatre)
for minutes in [80, 79, 78, 60, 45] {
  theatre.estimate(minutes)
  RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.04))
}
RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.15))
