// Symptom: I cancel the download of the map of Norway, because I am abroad. The page says "cancelled",
// but the tiles keep coming, and cost me money.
// Looks at: the tiles that come ("tiles")

import Foundation

actor TileServer {
  private(set) var delivered = 0

  func tile(_ number: Int) async throws -> [UInt8] {
    try await Task.sleep(for: .milliseconds(10))
    delivered += 1
    return [UInt8](repeating: UInt8(number % 251), count: 2_048)
  }
}

actor MapStore {
  private var tiles: [Int: [UInt8]] = [:]

  func keep(_ tile: [UInt8], number: Int) { tiles[number] = tile }
}

struct MapDownload: Sendable {
  let server: TileServer
  let store = MapStore()

  func download(tiles: Range<Int>) async throws {
    let work = Task(name: "tiles") {  // culprit
      for number in tiles {
        try Task.checkCancellation()
        await store.keep(try await server.tile(number), number: number)
      }
    }
    try await work.value
  }
}

@MainActor
final class MapPage {
  private(set) var status = ""
  private var download: Task<Void, Never>?

  func press(_ map: MapDownload) {
    status = "downloading"
    download = Task(name: "download") {
      do { try await map.download(tiles: 0..<150) } catch { return }
      status = "ready"
    }
  }

  func cancel() {
    download?.cancel()
    status = "cancelled"
  }
}

let server = TileServer()
let page = MapPage()
page.press(MapDownload(server: server))
try await Task.sleep(for: .milliseconds(200))
page.cancel()
for _ in 1...4 {
  print("\(page.status), \(await server.delivered) tiles")
  try await Task.sleep(for: .milliseconds(200))
}
