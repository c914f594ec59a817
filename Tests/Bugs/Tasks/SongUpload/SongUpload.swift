// Symptom: The choir master shares a song, the app says "on its way", and nobody ever gets it.
// Looks at: the upload ("upload")

import Foundation

actor ChoirServer {
  private(set) var songs: [String] = []

  func store(_ song: String, bytes: Int) { songs.append("\(song) (\(bytes) bytes)") }
}

final class SongUploader: Sendable {
  private let server: ChoirServer
  private let song: String

  init(song: String, server: ChoirServer) {
    self.song = song
    self.server = server
  }

  private func compress() async -> Int {
    try? await Task.sleep(for: .milliseconds(20))
    return song.utf8.count * 40
  }

  func start() {
    Task.detached(name: "upload") { [weak self] in  // culprit
      // Not before the network is up.
      try? await Task.sleep(for: .milliseconds(30))
      guard let self else { return }
      let bytes = await self.compress()
      await self.server.store(self.song, bytes: bytes)
    }
  }
}

@MainActor
final class ShareButton {
  private(set) var title = "Share"
  private let server: ChoirServer

  init(server: ChoirServer) { self.server = server }

  func share(_ song: String) {
    let uploader = SongUploader(song: song, server: server)
    uploader.start()
    title = "\(song) is on its way"
  }
}

let server = ChoirServer()
let button = ShareButton(server: server)
for song in ["Abendlied", "Locus iste"] {
  button.share(song)
  print(button.title)
  try await Task.sleep(for: .milliseconds(120))
}
print("on the server: \(await server.songs)")
