// Symptom: Before a journey I load a dozen episodes, and it takes as long as it took before four
// of them could be loaded at a time. The line is good for much more.
// Looks at: the loading of all of them ("downloads")

import Foundation

struct Episode: Sendable {
  let number: Int
  let megabytes: Int
}

actor PodcastServer {
  private var open = 0
  private(set) var busiest = 0

  func fetch(_ episode: Episode) async throws -> Int {
    open += 1
    busiest = max(busiest, open)
    defer { open -= 1 }
    try await Task.sleep(for: .milliseconds(70))
    return episode.megabytes
  }
}

struct Downloader: Sendable {
  static let limit = 4
  let server: PodcastServer

  /// Loads all episodes, a few at a time, and returns how much that was.
  func load(_ episodes: [Episode]) async throws -> Int {
    try await withThrowingTaskGroup(of: Int.self) { group in
      var waiting = episodes.makeIterator()
      var total = 0
      while let episode = waiting.next() {
        group.addTask(name: "episode \(episode.number)") { try await server.fetch(episode) }
        // There is room for the next one when one of them is complete.
        total += try await group.next() ?? 0  // culprit
      }
      for try await megabytes in group { total += megabytes }
      return total
    }
  }
}

let server = PodcastServer()
let episodes = (1...12).map { Episode(number: $0, megabytes: 30 + $0 % 5) }
let downloads = Task(name: "downloads") {
  try await Downloader(server: server).load(episodes)
}
let clock = ContinuousClock()
let start = clock.now
let megabytes = try await downloads.value
let took = (clock.now - start).formatted(.units(allowed: [.milliseconds]))
let busiest = await server.busiest
print("\(megabytes) MB in \(took), at most \(busiest) of \(Downloader.limit) at a time")
