// Symptom: The child reaches a hundred points, and the app praises it for the level it has just
// left.
// Looks at: praise (what the app says)
import Foundation
import Varve

enum Level: Int, Sendable {
  case seedling, sprout, shrub, tree

  init(points: Int) { self = Level(rawValue: min(3, points / 100)) ?? .seedling }
}

final class Exercises: Sendable {
  let points = MutableProperty(0)

  func solve(_ difficulty: Int) { points.modify { $0 += difficulty * 10 } }
}

final class RewardModel: Sendable {
  let level = MutableProperty(Level.seedling)
  let stars = MutableProperty(0)
  let praise = MutableProperty("")

  init(_ exercises: Exercises) {
    praise
      <~ exercises.points.signal
      .combinePrevious(0)
      .filter { $0 / 100 != $1 / 100 }
      .withLatest(from: level)  // culprit
      .map { "\($0.1) points: you are a \($1)!" }
      .named("praise")
    level <~ exercises.points.signal.map { Level(points: $0) }.skipRepeats()
    stars <~ exercises.points.map { $0 / 50 }
  }
}

let exercises = Exercises()
let rewards = RewardModel(exercises)
rewards.praise.signal.observeValues { print($0) }
rewards.stars.signal.skipRepeats().observeValues { print(String(repeating: "*", count: $0)) }
for difficulty in [3, 2, 4, 1, 5, 3, 4, 6, 2, 3] {
  exercises.solve(difficulty)
  Thread.sleep(forTimeInterval: 0.02)
}
print("\(exercises.points.value) points, really a \(rewards.level.value)")
