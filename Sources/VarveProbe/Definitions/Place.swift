/// A place in the program's source.
public struct Place: Sendable, Hashable, CustomStringConvertible {
  /// The file as `#fileID` gives it: `Module/File.swift`.
  public let file: String
  /// The line, from 1.
  public let line: UInt32

  /// Creates a place.
  public init(file: String, line: UInt32) {
    self.file = file
    self.line = line
  }

  /// `File.swift:12`, without the module.
  public var description: String {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return "\(name):\(line)"
  }
}
