// Symptom: I add songs to my list, but the list on the screen stays as it was. If I open another one
// and come back, they are there.
// Looks at: the songs on the screen ("rows")

import Foundation
import Varve

final class Playlist {
  let name: String
  private(set) var songs: [String]

  init(_ name: String, songs: [String]) {
    self.name = name
    self.songs = songs
  }

  func add(_ song: String) { songs.append(song) }
  func remove(_ song: String) { songs.removeAll { $0 == song } }
}

final class Library {
  let open: MutableProperty<Playlist>
  private let playlists: [String: Playlist]

  init(_ playlists: [Playlist]) {
    open = MutableProperty(playlists[0])
    self.playlists = Dictionary(uniqueKeysWithValues: playlists.map { ($0.name, $0) })
  }

  func show(_ name: String) {
    if let playlist = playlists[name] { open.value = playlist }
  }

  func add(_ song: String) { open.modify { $0.add(song) } }
  func remove(_ song: String) { open.modify { $0.remove(song) } }
}

final class PlaylistScreen {
  private(set) var rows: [String] = []
  private var observation: (any Disposable)?

  init(library: Library) {
    observation = library.open.producer
      .skipRepeats { $0 === $1 }  // culprit
      .map { playlist in
        playlist.songs.enumerated().map { "\($0.offset + 1). \($0.element)" }
      }
      .named("rows")
      .startWithValues { [weak self] in self?.rows = $0 }
  }

  deinit { observation?.dispose() }
}

let library = Library([
  Playlist("Running", songs: ["Hey Ya!", "Run"]), Playlist("Sleep", songs: ["Spiegel im Spiegel"]),
])
let screen = PlaylistScreen(library: library)
print(screen.rows)
library.add("Born to Run")
library.add("Let Down")
library.remove("Run")
print(screen.rows)
library.show("Sleep")
library.show("Running")
print(screen.rows)
