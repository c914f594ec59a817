// Symptom: Boards report their results to the hall's server, which takes a moment. Whenever the
// director looks at a preview of the next round, the reports of all boards hang for half a second.
// Looks at: the reports of the boards ("board 4")

import Foundation

struct Pairing: Sendable {
  let white: Int
  let black: Int
}

actor Tournament {
  private var points: [Double]

  init(players: Int) { points = (0..<players).map { Double($0 % 5) / 2 } }

  func report(winner: Int) { points[winner] += 1 }

  func preview() -> [Pairing] {
    let order = points.indices.sorted { points[$0] > points[$1] }
    return cheapest(of: order)  // culprit
  }

  /// Tries thousands of orders, and takes the one whose opponents are closest in points.
  private func cheapest(of order: [Int]) -> [Pairing] {
    var generator = SystemRandomNumberGenerator()
    var best: (cost: Double, order: [Int]) = (.infinity, order)
    for _ in 0..<22_000 {
      let tried = order.shuffled(using: &generator)
      var cost = 0.0
      for index in stride(from: 0, to: tried.count - 1, by: 2) {
        cost += abs(points[tried[index]] - points[tried[index + 1]])
      }
      if cost < best.cost { best = (cost, tried) }
    }
    return stride(from: 0, to: best.order.count - 1, by: 2).map {
      Pairing(white: best.order[$0], black: best.order[$0 + 1])
    }
  }
}

let tournament = Tournament(players: 64)
let boards = (1...8).map { board in
  Task(name: "board \(board)") {
    let clock = ContinuousClock()
    var longest = Duration.zero
    for round in 0..<30 {
      try await Task.sleep(for: .milliseconds(20))
      let begin = clock.now
      await tournament.report(winner: (board * 7 + round) % 64)
      longest = max(longest, clock.now - begin)
    }
    return longest
  }
}
let director = Task(name: "director") {
  try await Task.sleep(for: .milliseconds(150))
  return await tournament.preview().count
}
print("the preview has \(try await director.value) pairs")
for (index, board) in boards.enumerated() {
  let longest = try await board.value.formatted(.units(allowed: [.milliseconds]))
  print("board \(index + 1): longest report \(longest)")
}
