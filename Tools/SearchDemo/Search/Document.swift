import Foundation

/// A text file: what is searched.
public struct Document: Hashable, Sendable {
  /// Its path below the folder.
  public let name: String
  /// What it says.
  public let lines: [String]

  /// Creates a document.
  public init(name: String, text: String) {
    self.name = name
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The text files below a folder, in the order of their names. What is not UTF-8 or larger than a
  /// megabyte is left out, and so is what cannot be read.
  public static func all(below folder: String) -> [Document] {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }
    return (names ?? []).sorted().compactMap { read($0, in: folder) }
  }

  private static let kinds: Set = ["swift", "md", "txt", "c", "h", "py", "sh"]
  private static let largest = 1 << 20

  private static func read(_ name: String, in folder: String) -> Document? {
    guard let kind = name.split(separator: ".").last, kinds.contains(String(kind)),
      let data = FileManager.default.contents(atPath: "\(folder)/\(name)"),
      data.count <= largest, let text = String(data: data, encoding: .utf8)
    else { return nil }
    return Document(name: name, text: text)
  }
}
