// Symptom: The cover of the song never appears: its place stays grey. The lyrics are there.
// Looks at: the cover ("cover")

import Foundation

struct MusicLibrary: Sendable {
  func cover(of song: String) async throws -> String {
    try await Task.sleep(for: .milliseconds(60))
    return "\(song).jpg"
  }

  func lyrics(of song: String) async throws -> [String] {
    try await Task.sleep(for: .milliseconds(40))
    return ["\(song), \(song),", "far over the sea"]
  }
}

@MainActor
final class SongModel {
  private(set) var cover: String?
  private(set) var lyrics: [String] = []
  private var loading: Task<Void, Never>?
  private let library = MusicLibrary()

  func show(_ song: String) {
    cover = nil
    lyrics = []
    loadCover(of: song)
    loadLyrics(of: song)
  }

  private func loadCover(of song: String) {
    loading?.cancel()
    loading = Task(name: "cover") {
      guard let picture = try? await library.cover(of: song) else { return }
      cover = picture
    }
  }

  private func loadLyrics(of song: String) {
    loading?.cancel()  // culprit
    loading = Task(name: "lyrics") {
      guard let lines = try? await library.lyrics(of: song) else { return }
      lyrics = lines
    }
  }
}

@MainActor func run() async {
  let model = SongModel()
  model.show("Shenandoah")
  try? await Task.sleep(for: .milliseconds(200))
  print("cover: \(model.cover ?? "none")")
  print("lyrics: \(model.lyrics.joined(separator: " "))")
}
await run()
