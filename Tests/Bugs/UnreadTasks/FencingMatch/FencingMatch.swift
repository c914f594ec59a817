// Symptom: The board in the hall shows some of the touches only; the others are in the referee's log.
// Looks at: the board ("hall board")

import Foundation

struct Touch: Sendable {
  let number: Int
  let fencer: String
}

/// The box that the two weapons are connected to.
final class HitDetector: Sendable {
  let touches: AsyncStream<Touch>
  private let contact: AsyncStream<Touch>.Continuation

  init() {
    (touches, contact) = AsyncStream.makeStream()
  }

  func fight() async {
    for number in 1...10 {
      try? await Task.sleep(for: .milliseconds(15))
      contact.yield(Touch(number: number, fencer: number % 3 == 0 ? "right" : "left"))
    }
    contact.finish()
  }
}

actor HallBoard {
  private var points = ["left": 0, "right": 0]

  func follow(_ detector: HitDetector) async {
    for await touch in detector.touches {
      points[touch.fencer, default: 0] += 1
    }
    print("board: \(points["left"] ?? 0) : \(points["right"] ?? 0)")
  }
}

actor RefereeLog {
  private var lines: [String] = []

  func follow(_ detector: HitDetector) async {
    for await touch in detector.touches {  // culprit
      lines.append("\(touch.number) \(touch.fencer)")
    }
    print("log: \(lines.joined(separator: ", "))")
  }
}

let detector = HitDetector()
let board = HallBoard()
let log = RefereeLog()
let watching = [
  Task(name: "hall board") { await board.follow(detector) },
  Task(name: "referee log") { await log.follow(detector) },
]
await detector.fight()
for task in watching { await task.value }
