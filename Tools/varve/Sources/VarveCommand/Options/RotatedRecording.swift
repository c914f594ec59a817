internal import VarveFormat
internal import VarvePlatform

/// A recording that went on in several files: `run-1.varve`, `run-2.varve`, … and `run.varve`.
enum RotatedRecording {
  /// Returns all files of the finished recording that a file is the last of, the oldest first; the
  /// names as they are if they are several, if there is nothing but the file, or if it is still being
  /// written, and so is followed.
  static func whole(_ names: [String]) throws(CommandEnd) -> [String] {
    guard names.count == 1, let path = names.first, path != "-", !FileSystem.isFolder(path),
      let last = try? TraceReader(path: path), last.ending != .running
    else { return names }
    let earlier = candidates(beside: path).filter {
      (try? TraceReader(path: $0))?.header.id == last.header.id
    }
    return earlier + names
  }

  /// Files with the names that those filled before would have, by number.
  private static func candidates(beside path: String) -> [String] {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    let name = path.dropFirst(folder.count)
    let suffix = name.hasSuffix(".varve") ? ".varve" : ""
    let stem = name.dropLast(suffix.count) + "-"
    let numbered = FolderListing.names(in: folder.isEmpty ? "." : String(folder)).compactMap {
      other -> (number: Int, path: String)? in
      guard other.hasPrefix(stem), other.hasSuffix(suffix) else { return nil }
      let digits = other.dropFirst(stem.count).dropLast(suffix.count)
      guard digits.utf8.allSatisfy({ 48...57 ~= $0 }), let number = Int(digits) else { return nil }
      return (number, folder + other)
    }
    return numbered.sorted { $0.number < $1.number }.map(\.path)
  }
}
