// Symptom: I save an album for the train. One of its songs is not sold in my country, which is
// all right, but the other songs stop at half of their way, too, and the album stays empty but
// for one or two.
// Looks at: a song that can be had ("track 7")

import Foundation

struct Track: Sendable {
  let number: Int
  var bytes = 0
}

enum StoreError: Error {
  case notSoldHere(track: Int)
}

struct MusicStore: Sendable {
  let withheld: Set<Int>

  func download(_ number: Int) async throws -> Track {
    var track = Track(number: number)
    if withheld.contains(number) {
      try await Task.sleep(for: .milliseconds(45))
      throw StoreError.notSoldHere(track: number)
    }
    for _ in 0..<(number + 2) {
      try await Task.sleep(for: .milliseconds(10))
      track.bytes += 512_000
    }
    return track
  }
}

actor Shelf {
  private(set) var tracks: [Int: Track] = [:]
  private(set) var note = ""

  func put(_ track: Track) { tracks[track.number] = track }
  func write(_ text: String) { note = text }
}

struct AlbumDownload: Sendable {
  let store: MusicStore
  let shelf: Shelf

  func save(tracks count: Int) async {
    do {
      try await withThrowingTaskGroup(of: Track.self) { group in
        for number in 1...count {
          group.addTask(name: "track \(number)") {
            try await store.download(number)
          }
        }
        for try await track in group {  // culprit
          await shelf.put(track)
        }
      }
      await shelf.write("complete")
    } catch {
      await shelf.write("not complete: \(error)")
    }
  }
}

let shelf = Shelf()
await AlbumDownload(store: MusicStore(withheld: [4]), shelf: shelf).save(tracks: 9)
print("\(await shelf.tracks.keys.sorted()) of 9 songs, \(await shelf.note)")
