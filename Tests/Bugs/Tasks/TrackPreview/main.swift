// Symptom: When I tap through the songs of an album, the bar below the title jumps to and fro: it
// shows the progress of the song that plays and that of the one before by turns. With the
// first two songs all is well.
// Looks at: the song before the last ("preview Jolene")

import Foundation

@MainActor
final class PlayerBar {
  private(set) var title = ""
  private(set) var jumps = 0
  private var shown = 0

  func begin(_ title: String) {
    self.title = title
    shown = 0
  }

  func show(percent: Int) {
    if percent < shown { jumps += 1 }
    shown = percent
  }
}

@MainActor
final class PreviewPlayer {
  private let bar: PlayerBar
  private var playing: Task<Void, any Error>?

  init(bar: PlayerBar) { self.bar = bar }

  var isPlaying: Bool { playing != nil }

  func play(_ song: String) {
    playing?.cancel()
    bar.begin(song)
    playing = Task(name: "preview \(song)") {
      defer { playing = nil }  // culprit
      for percent in 0...100 {
        bar.show(percent: percent)
        try await Task.sleep(for: .milliseconds(5))
      }
    }
  }

  func stop() { playing?.cancel() }
}

let bar = PlayerBar()
let player = PreviewPlayer(bar: bar)
for song in ["Blackbird", "Jolene", "Wonderwall"] {
  player.play(song)
  try await Task.sleep(for: .milliseconds(150))
  print("\(bar.title): \(player.isPlaying ? "plays" : "is silent"), \(bar.jumps) jumps of the bar")
}
player.stop()
try await Task.sleep(for: .milliseconds(50))
