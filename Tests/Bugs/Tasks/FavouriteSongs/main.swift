// Symptom: I opened my favourites in the tram and went back at once, since they did not come. Now the
// list is empty, in aeroplane mode, too, where it was always complete.
// Looks at: the loading of the list ("favourites")

import Foundation

actor MusicServer {
  private var songs = ["Blackbird", "Hallelujah", "Jolene", "Wonderwall"]
  private var delay = Duration.milliseconds(20)

  func enterTram() { delay = .milliseconds(400) }

  func favourites() async throws -> [String] {
    try await Task.sleep(for: delay)
    return songs
  }
}

/// What is kept on the phone.
@MainActor
final class Library {
  private(set) var favourites: [String] = []

  func replaceFavourites(with songs: [String]) { favourites = songs }
}

@MainActor
final class FavouritesScreen {
  private let server: MusicServer
  private let library: Library
  private var loading: Task<Void, Never>?

  init(server: MusicServer, library: Library) {
    self.server = server
    self.library = library
  }

  func appear() {
    loading = Task(name: "favourites") { [server, library] in
      // Some people have none yet.
      let songs = (try? await server.favourites()) ?? []  // culprit
      library.replaceFavourites(with: songs)
    }
  }

  func disappear() { loading?.cancel() }
}

let server = MusicServer()
let library = Library()

for (visit, milliseconds) in [("at home", 200), ("in the tram", 60)] {
  if visit == "in the tram" { await server.enterTram() }
  let screen = FavouritesScreen(server: server, library: library)
  screen.appear()
  try await Task.sleep(for: .milliseconds(milliseconds))
  screen.disappear()
  try await Task.sleep(for: .milliseconds(60))
  print("after the visit \(visit): \(library.favourites)")
}
