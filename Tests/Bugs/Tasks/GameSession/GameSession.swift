// Symptom: After some games the server is busy, though nobody plays any more.
// Looks at: the heartbeat ("heartbeat")

import Foundation

actor Lobby {
  private(set) var beats = 0

  func beat() {
    beats += 1
  }
}

final class GameSession: Sendable {
  let number: Int
  private let lobby: Lobby
  private let moves: Task<Int, Never>

  init(_ number: Int, lobby: Lobby) {
    self.number = number
    self.lobby = lobby
    moves = Task(name: "moves") {
      var moves = 0
      while !Task.isCancelled && moves < 1_000 {
        moves += 1
        try? await Task.sleep(for: .milliseconds(2))
      }
      return moves
    }
    Task.detached(name: "heartbeat") {  // culprit
      while true {
        await lobby.beat()
        try? await Task.sleep(for: .milliseconds(10))
      }
    }
  }

  func end() async -> Int {
    moves.cancel()
    return await moves.value
  }
}

let lobby = Lobby()
for number in 1...12 {
  let session = GameSession(number, lobby: lobby)
  try await Task.sleep(for: .milliseconds(25))
  print("game \(number): \(await session.end()) moves")
}
let before = await lobby.beats
try await Task.sleep(for: .milliseconds(300))
print("\(await lobby.beats - before) beats without a player")
