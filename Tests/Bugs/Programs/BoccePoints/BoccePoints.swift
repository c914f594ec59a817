// Symptom: We started a second game, and the board went on counting from the points of the first:
// blue had 11 after one throw.
// Looks at: board (the points on the board)
import Foundation
import Varve

enum Team: String, Sendable {
  case blue
  case red
}

enum Move: Sendable {
  case newGame
  case throwing(Team, points: Int)
}

struct Score: Equatable, Sendable {
  var blue = 0
  var red = 0
  var throwsSoFar = 0
}

final class Court {
  let board: Property<Score>
  let winner: Property<Team?>
  private let (moves, input) = Signal<Move, Never>.pipe()

  init(on screen: QueueScheduler) {
    board = Property(
      initial: Score(),
      then:
        moves
        .observe(on: screen)
        .scan(into: Score()) { score, move in  // culprit
          switch move {
          case .newGame: score.throwsSoFar = 0
          case .throwing(.blue, let points): score.blue += points
          case .throwing(.red, let points): score.red += points
          }
          if case .throwing = move { score.throwsSoFar += 1 }
        }
        .skipRepeats())
    winner = board.map { $0.blue >= 9 ? .blue : $0.red >= 9 ? .red : nil }.skipRepeats()
  }

  func start() { input.send(value: .newGame) }
  func score(_ team: Team, _ points: Int) { input.send(value: .throwing(team, points: points)) }
}

let court = Court(on: QueueScheduler(name: "screen"))
court.board.signal.named("board").observeValues { print("blue \($0.blue) : \($0.red) red") }
court.winner.signal.observeValues { print($0.map { "\($0.rawValue) wins" } ?? "(nobody yet)") }
court.start()
for (team, points) in [(Team.blue, 3), (.red, 2), (.blue, 4), (.red, 1), (.blue, 2)] {
  court.score(team, points)
}
Thread.sleep(forTimeInterval: 0.1)
print("(second game)")
court.start()
court.score(.blue, 2)
court.score(.red, 4)
Thread.sleep(forTimeInterval: 0.1)
