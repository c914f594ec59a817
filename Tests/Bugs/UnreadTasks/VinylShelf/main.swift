// Symptom: My shelf is empty, though I have added three records; there is no error either.
// Looks at: the shelf ("shelf")

import Foundation

struct Album: Codable, Sendable {
  var title: String
  var artist: String
  var year: Int
}

/// The collection as the cloud keeps it. Of old records the year is not always known.
struct CollectionServer: Sendable {
  func albums() async throws -> Data {
    try await Task.sleep(for: .milliseconds(30))
    return Data(
      """
      [{"title": "Blue Train", "artist": "John Coltrane", "year": 1957},
       {"title": "Live in the Cellar", "artist": "The Quarry", "year": null},
       {"title": "Kind of Blue", "artist": "Miles Davis", "year": 1959}]
      """.utf8)
  }
}

actor Collection {
  private let server = CollectionServer()

  func albums() async throws -> [Album] {
    try JSONDecoder().decode([Album].self, from: await server.albums())
  }
}

@MainActor
final class ShelfScreen {
  private let collection = Collection()
  private(set) var albums: [Album] = []
  private(set) var message = ""

  func appear() async {
    albums = (try? await collection.albums()) ?? []  // culprit
    message = albums.isEmpty ? "Your shelf is empty" : "\(albums.count) records"
  }
}

let screen = ShelfScreen()
let shelf = Task(name: "shelf") { await screen.appear() }
await shelf.value
print(screen.message)
for album in screen.albums { print("- \(album.title), \(album.year)") }
