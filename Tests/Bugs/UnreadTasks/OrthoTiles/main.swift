// Symptom: The office fetches the aerial photos of the county, a few at a time, as the server wants
// it. The bar of progress stays empty, also after an hour, and the job has to be killed.
// Looks at: one of the tiles ("tile 20")

import Foundation

struct Tile: Sendable {
  let column: Int
  let row: Int
  var number: Int { row * 20 + column }
}

/// The server bans those who fetch more than so many tiles at the same time.
final class Turnstile: Sendable {
  private let semaphore: DispatchSemaphore

  init(width: Int) { semaphore = DispatchSemaphore(value: width) }

  func enter() {
    semaphore.wait()  // culprit
  }

  func leave() { semaphore.signal() }
}

struct PhotoServer: Sendable {
  func fetch(_ tile: Tile) async throws -> Int {
    try await Task.sleep(for: .milliseconds(10))
    return 900 + tile.number % 7
  }
}

actor Progress {
  private let total: Int
  private var done = 0
  private(set) var kilobytes = 0

  init(total: Int) { self.total = total }

  func add(_ size: Int) {
    done += 1
    kilobytes += size
    print("\(done) of \(total)")
    fflush(nil)
  }
}

struct Downloader: Sendable {
  let server: PhotoServer
  let turnstile: Turnstile
  let progress: Progress

  func download(_ tiles: [Tile]) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for tile in tiles {
        group.addTask(name: "tile \(tile.number)") { try await download(tile) }
      }
      try await group.waitForAll()
    }
  }

  private func download(_ tile: Tile) async throws {
    turnstile.enter()
    defer { turnstile.leave() }
    let size = try await server.fetch(tile)
    await progress.add(size)
  }
}

let tiles = (0..<20).flatMap { row in (0..<20).map { Tile(column: $0, row: row) } }
let progress = Progress(total: tiles.count)
let downloader = Downloader(
  server: PhotoServer(), turnstile: Turnstile(width: 3), progress: progress)
print("fetching \(tiles.count) tiles")
fflush(nil)
try await downloader.download(tiles)
print("\(await progress.kilobytes) kilobytes")
