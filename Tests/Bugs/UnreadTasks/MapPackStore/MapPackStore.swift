// Symptom: The map of the island is fetched twice over my roaming connection when I open the app on
// the map's page.
// Looks at: the downloads of the server ("download")

import Foundation

actor TileServer {
  private(set) var downloads: [String] = []

  func download(_ region: String) async throws -> Data {
    downloads.append(region)
    try await Task.sleep(for: .milliseconds(60))
    return Data(count: region.count * 1_000)
  }
}

actor MapPackStore {
  private var packs: [String: Data] = [:]
  private let server: TileServer

  init(server: TileServer) { self.server = server }

  func pack(_ region: String) async throws -> Data {
    if let pack = packs[region] { return pack }
    let pack = try await server.download(region)  // culprit
    packs[region] = pack
    return pack
  }
}

@MainActor
final class MapPage {
  private let store: MapPackStore
  private(set) var sizes: [String: Int] = [:]

  init(store: MapPackStore) { self.store = store }

  func appear() -> [Task<Void, Never>] {
    ["map", "legend"].map { part in
      Task(name: "download") {
        do {
          sizes[part] = try await store.pack("Gotland").count
        } catch {
          print("\(part): \(error)")
        }
      }
    }
  }
}

let server = TileServer()
let page = MapPage(store: MapPackStore(server: server))
for task in page.appear() { await task.value }
for task in page.appear() { await task.value }
print(page.sizes)
print("fetched: \(await server.downloads)")
