// Symptom: A level is saved on the phone, but never in the cloud. There is no error, either.
// Looks at: the saving of the game ("save game")

import Foundation

struct SavedGame: Sendable {
  let level: Int
  let coins: Int
}

actor Phone {
  private(set) var games: [SavedGame] = []

  func store(_ game: SavedGame) async {
    try? await Task.sleep(for: .milliseconds(5))
    games.append(game)
  }
}

actor Cloud {
  private(set) var games: [SavedGame] = []

  func upload(_ game: SavedGame) async throws {
    for _ in 1...4 {
      try await Task.sleep(for: .milliseconds(15))
    }
    games.append(game)
  }
}

struct SaveSlot: Sendable {
  let phone = Phone()
  let cloud = Cloud()

  func save(_ game: SavedGame) async {
    async let _ = cloud.upload(game)  // culprit
    await phone.store(game)
    print("level \(game.level) saved")
  }
}

let slot = SaveSlot()
for level in 1...3 {
  let saving = Task(name: "save game") {
    await slot.save(SavedGame(level: level, coins: level * 40))
  }
  await saving.value
}
try await Task.sleep(for: .milliseconds(150))
let phone = await slot.phone.games.count
let cloud = await slot.cloud.games.count
print("on the phone: \(phone), in the cloud: \(cloud)")
