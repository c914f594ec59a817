import Foundation

/// The files of this package, as the tests of its documents read them.
enum Repository {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Where a file or folder is, by its path from the top.
  static func location(of path: String) -> URL { root.appendingPathComponent(path) }

  /// A file's text, by its path from the top.
  static func text(of path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// A file's lines, the empty ones included.
  static func lines(of path: String) throws -> [Substring] {
    try text(of: path).split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The files below a folder with an ending, by their paths from the top, in order.
  static func files(in folder: String, endingIn suffix: String) -> [String] {
    let below = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
    var found: [String] = []
    while let path = below?.nextObject() as? String {
      if path.hasSuffix(suffix) { found.append("\(folder)/\(path)") }
    }
    return found.sorted()
  }

  /// Whether there is such a file or folder.
  static func contains(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
  }
}
