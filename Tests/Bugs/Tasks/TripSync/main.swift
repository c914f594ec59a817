// Symptom: On the ferry there was no signal for a while. Since then none of my photos reaches the
// album of our trip, though the hotel's network is fast and the app says nothing.
// Looks at: the sync of the album ("album sync")

import Foundation

struct Photo: Sendable {
  let number: Int
  let place: String
}

struct NoSignal: Error {}

actor AlbumServer {
  private(set) var photos: [Photo] = []
  var hasSignal = true

  func setSignal(_ signal: Bool) { hasSignal = signal }

  func upload(_ batch: [Photo]) async throws {
    try await Task.sleep(for: .milliseconds(10))
    guard hasSignal else { throw NoSignal() }
    photos += batch
  }
}

actor Album {
  private let server: AlbumServer
  private var waiting: [Photo] = []
  private var isUploading = false

  init(server: AlbumServer) { self.server = server }

  func add(_ photo: Photo) { waiting.append(photo) }

  /// The timer and the "share" button both call this; one upload at a time is enough.
  func sync() async throws {
    guard !isUploading, !waiting.isEmpty else { return }
    isUploading = true
    let batch = waiting
    try await server.upload(batch)  // culprit
    waiting.removeFirst(batch.count)
    isUploading = false
  }
}

let server = AlbumServer()
let album = Album(server: server)
let syncing = Task(name: "album sync") {
  while !Task.isCancelled {
    do {
      try await album.sync()
    } catch {
      print("no signal, we try again later")
    }
    try? await Task.sleep(for: .milliseconds(15))
  }
}

var number = 0
for (place, signal) in [("harbour", true), ("ferry", false), ("island", true), ("hotel", true)] {
  await server.setSignal(signal)
  for _ in 1...4 {
    number += 1
    await album.add(Photo(number: number, place: place))
    try await Task.sleep(for: .milliseconds(40))
  }
  let photos = await server.photos
  print("\(place): \(number) photos taken, \(photos.count) in the album")
}
syncing.cancel()
await syncing.value
