/// The finished files of a rotation: `run-1.varve`, `run-2.varve`, … beside `run.varve`.
enum RotatedFiles {
  struct Finished {
    var number: Int
    var path: String
  }

  /// Returns those with a recording's ID, oldest first.
  static func of(_ id: TraceID, beside path: String) -> [Finished] {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    let name = path.dropFirst(folder.count)
    let suffix = name.hasSuffix(".varve") ? ".varve" : ""
    let stem = name.dropLast(suffix.count) + "-"
    return FolderListing.names(in: folder.isEmpty ? "." : String(folder)).compactMap { other in
      guard other.hasPrefix(stem), other.hasSuffix(suffix) else { return nil }
      let digits = other.dropFirst(stem.count).dropLast(suffix.count)
      guard digits.utf8.allSatisfy({ 48...57 ~= $0 }), let number = Int(digits) else { return nil }
      return Finished(number: number, path: folder + other)
    }.filter { bears(id, $0.path) }.sorted { $0.number < $1.number }
  }

  /// Returns whether a path is that of a finished file, and the recording continued in the file
  /// that it is named after.
  static func isContinued(_ path: String, of id: TraceID) -> Bool {
    let suffix = path.hasSuffix(".varve") ? ".varve" : ""
    let stem = path.dropLast(suffix.count)
    let digits = stem.utf8.reversed().prefix { 48...57 ~= $0 }.count
    let base = stem.dropLast(digits)
    return digits > 0 && base.hasSuffix("-") && bears(id, base.dropLast() + suffix)
  }

  private static func bears(_ id: TraceID, _ path: String) -> Bool {
    guard let file = try? TraceFile(reading: path), let found = try? FoundHeader(file) else {
      return false
    }
    return found.header.id == id
  }
}
