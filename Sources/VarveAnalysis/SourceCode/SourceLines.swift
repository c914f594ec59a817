internal import VarveFormat
internal import VarvePlatform
internal import VarveProbe

/// Finds the lines of source around places of a trace, where the files are there: at the paths that
/// the program was built from, or below the current folder. Frames of code have whole paths, operators
/// only names, which are looked for among the paths that were read, too.
///
/// A trace may name any file, and come from anywhere. So files are read only if they look like
/// source, are regular and short; the page that gets them came from the same machine.
public struct SourceLines {
  /// The source files below the current folder, by name; nil until it was searched.
  private var known: [String: [String]]?
  private var texts: [String: [Substring]] = [:]
  /// The whole paths that were asked for and are there, by name.
  private var built: [String: [String]] = [:]

  private static let suffixes = [".swift", ".c", ".h", ".m", ".mm", ".cpp", ".cc"]
  private static let mostBytes = 4 << 20
  private static let mostFiles = 20_000
  private static let deepest = 8

  /// Makes a reader that has read nothing yet.
  public init() {}

  /// Returns the lines of a file, `Shop/Shop.swift`; nil if it is not there.
  public mutating func lines(of name: String) -> [Substring]? { path(name).flatMap { lines($0) } }

  /// Returns the source around the line of a frame; nil if the line is not known, or its file is not there.
  mutating func source(at frame: NamedFrame) -> PlainSource? {
    frame.file.flatMap { source(at: Place(file: $0, line: frame.line)) }
  }

  /// Returns the source around a line; nil if the line is not known, or its file is not there.
  mutating func source(at place: Place) -> PlainSource? {
    guard place.line > 0, let lines = lines(of: place.file), place.line <= lines.count else {
      return nil
    }
    return PlainSource(lines, around: Int(place.line))
  }

  private mutating func path(_ name: String) -> String? {
    guard Self.suffixes.contains(where: name.hasSuffix) else { return nil }
    let last = name.split(separator: "/").last.map(String.init) ?? name
    if name.hasPrefix("/") {
      if built[last]?.contains(name) != true, lines(name) != nil {
        built[last, default: []].append(name)
      }
      return name
    }
    if let path = built[last].flatMap({ Self.choose(name, among: $0) }) { return path }
    if known == nil { known = Self.search() }
    return known?[last].flatMap { Self.choose(name, among: $0) }
  }

  /// Chooses the path of a file that is named `Shop/Shop.swift`, or `Shop.swift`, if no other has that name.
  private static func choose(_ name: String, among paths: [String]) -> String? {
    // Links lead to one file by several paths.
    let only = Set(paths.map(whole)).count == 1 ? paths[0] : nil
    // The module before the file's name usually is a folder above it.
    guard let slash = name.firstIndex(of: "/") else { return only }
    let module = "/\(name[..<slash])/"
    return paths.first { $0.hasSuffix("/" + name) }
      ?? paths.first { ("/" + $0).contains(module) } ?? only
  }

  /// Returns a path without links.
  private static func whole(_ path: String) -> String {
    guard let whole = realpath(path, nil) else { return path }
    defer { free(whole) }
    return String(cString: whole)
  }

  private mutating func lines(_ path: String) -> [Substring]? {
    if let known = texts[path] { return known }
    guard let text = Self.read(path) else { return nil }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    if texts.count > 64 { texts.removeAll() }
    texts[path] = lines
    return lines
  }

  private static func read(_ path: String) -> String? {
    let file = VarvePlatform.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= mostBytes
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = VarvePlatform.read(file, &bytes, bytes.count)
    return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
  }

  /// Lists the source files below the current folder, without hidden folders.
  private static func search() -> [String: [String]] {
    var found: [String: [String]] = [:]
    var (open, looked) = ([("", 0)], 0)
    while let (folder, depth) = open.popLast(), looked < mostFiles {
      for name in FolderListing.names(in: folder.isEmpty ? "." : folder)
      where !name.hasPrefix(".") {
        looked += 1
        let path = folder.isEmpty ? name : folder + "/" + name
        if suffixes.contains(where: name.hasSuffix) {
          found[name, default: []].append(path)
        } else if depth < deepest, !name.contains(".") {
          open.append((path, depth + 1))
        }
      }
    }
    return found
  }
}
