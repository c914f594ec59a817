// Symptom: I beat my record and the game says "no new record this time". The high score list has
// the new one when I open it.
// Looks at: the best score (the property "best")

import Foundation
import Varve

struct Round {
  var player: String
  var points: Int
}

final class ScoreBoard {
  let best = MutableProperty(0, named: "best")
  private let database = QueueScheduler(name: "database")
  private let rounds: Signal<Round, Never>
  private let input: Signal<Round, Never>.Observer

  init() {
    (rounds, input) = Signal.pipe()
    best
      <~ rounds
      .map { $0.points }
      .scan(0, max)
      .skipRepeats()
      .delay(.milliseconds(2), on: database)
  }

  func add(_ round: Round) { input.send(value: round) }
}

final class GameOverScreen {
  private let board: ScoreBoard
  private(set) var messages: [String] = []

  init(board: ScoreBoard) { self.board = board }

  func finish(_ round: Round) {
    board.add(round)
    let isRecord = board.best.value == round.points  // culprit
    messages.append(
      isRecord ? "New record: \(round.points)!" : "\(round.points): no new record this time")
  }
}

let board = ScoreBoard()
let screen = GameOverScreen(board: board)
for points in [120, 90, 300, 310, 80] {
  screen.finish(Round(player: "Lu", points: points))
  Thread.sleep(forTimeInterval: 0.05)
}
print(screen.messages.joined(separator: "\n"))
print("High score: \(board.best.value)")
