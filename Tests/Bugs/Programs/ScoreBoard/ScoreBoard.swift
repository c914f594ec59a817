// Symptom: I switched the score board on in the second half. It shows the last two goals and a score
// of 0:2, although it is 3:2.
// Looks at: score (the big numbers)
import Foundation
import Varve

enum Side: Sendable {
  case home, guests
}

struct Goal: Sendable {
  let minute: Int
  let side: Side
}

final class Match {
  private let subject = ReplaySubject<Goal, Never>(upTo: 2)  // culprit
  var goals: SignalProducer<Goal, Never> { subject.producer }

  func goal(_ side: Side, minute: Int) {
    subject.send(value: Goal(minute: minute, side: side))
  }
}

final class ScoreBoard {
  let score: Property<String>
  let lines: Property<[String]>

  init(_ match: Match) {
    score = Property(
      initial: "0:0",
      then: match.goals
        .scan((0, 0)) { score, goal in
          goal.side == .home ? (score.0 + 1, score.1) : (score.0, score.1 + 1)
        }
        .map { "\($0):\($1)" })
    lines = Property(
      initial: [],
      then: match.goals.map { "\($0.minute)' \($0.side)" }.scan([]) { $0 + [$1] })
  }
}

let match = Match()
match.goal(.home, minute: 4)
match.goal(.home, minute: 19)
match.goal(.home, minute: 32)
match.goal(.guests, minute: 51)
match.goal(.guests, minute: 58)

let board = ScoreBoard(match)
board.score.producer.named("score").startWithValues { print("score \($0)") }
print(board.lines.value)
