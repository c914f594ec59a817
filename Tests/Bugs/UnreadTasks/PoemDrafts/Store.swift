import Foundation

struct Draft: Sendable, Codable {
  var title: String
  var text: String
}

/// Keeps each draft in a file of its title.
actor DraftStore {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "drafts-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  func save(_ draft: Draft) throws {
    let data = try JSONEncoder().encode(draft)
    try data.write(to: folder.appending(path: draft.title + ".json"), options: .atomic)
  }

  func all() throws -> [Draft] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .map { try JSONDecoder().decode(Draft.self, from: Data(contentsOf: $0)) }
      .sorted { $0.title < $1.title }
  }

  func removeAll() throws { try FileManager.default.removeItem(at: folder) }
}
