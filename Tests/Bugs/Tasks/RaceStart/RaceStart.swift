// Symptom: The game never starts when a player leaves while the others get ready.
// Looks at: a player that waits ("player 1")

import Foundation

struct PlayerLeft: Error {}

/// Lets all players begin at the same moment.
actor StartLine {
  private let expected: Int
  private var ready: [CheckedContinuation<Void, Never>] = []

  init(players: Int) {
    expected = players
  }

  func wait() async {
    if ready.count + 1 == expected {
      for player in ready { player.resume() }
      ready = []
      return
    }
    await withCheckedContinuation { ready.append($0) }  // culprit
  }
}

func play(_ number: Int, at line: StartLine) async throws -> Int {
  try await Task.sleep(for: .milliseconds(number * 5))
  if number == 3 { throw PlayerLeft() }
  await line.wait()
  return number * 10
}

let line = StartLine(players: 4)
let players = (1...4).map { number in
  Task(name: "player \(number)") { try await play(number, at: line) }
}
for player in players {
  do {
    print("score \(try await player.value)")
  } catch {
    print("a player left")
  }
}
