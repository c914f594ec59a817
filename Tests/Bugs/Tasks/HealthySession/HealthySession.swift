// Symptom: None; this works.
// Looks at: the heartbeat ("heartbeat")

import Foundation

actor Lobby {
  private(set) var beats = 0

  func beat() { beats += 1 }
}

final class GameSession: Sendable {
  private let heartbeat: Task<Void, Never>

  init(lobby: Lobby) {
    heartbeat = Task(name: "heartbeat") {
      while !Task.isCancelled {
        await lobby.beat()
        try? await Task.sleep(for: .milliseconds(5))
      }
    }
  }

  deinit { heartbeat.cancel() }
}

let lobby = Lobby()
func play(_ number: Int) async {
  let session = GameSession(lobby: lobby)
  try? await Task.sleep(for: .milliseconds(30))
  withExtendedLifetime(session) { print("game \(number) is over") }
}
for number in 1...8 { await play(number) }
print(await lobby.beats > 8 ? "beats" : "no beats")
