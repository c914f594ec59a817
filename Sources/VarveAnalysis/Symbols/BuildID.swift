internal import VarvePlatform

/// The note by which a linker identifies a build of an executable.
///
/// The files may come from anywhere: every length is checked, and only small parts are read.
enum BuildID {
  /// Returns the build ID of the file at `path`: empty when it has none; nil when the file is not
  /// an executable, a library or a file of debug information.
  static func ofFile(at path: String) -> [UInt8]? {
    // The path comes from a trace: opening a named pipe must not wait for a writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let file = ObjectFile(descriptor: descriptor)
    // ELF, 64 bits, little-endian, version 1.
    guard file.bytes(at: 0, count: 7) == [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1],
      let header = file.bytes(at: 0, count: 64)
    else { return nil }
    // In a file of debug information, the contents of the segments are missing, but not the
    // sections.
    let sections = file.table(
      at: header.number(40, 8), entry: header.number(58, 2), count: header.number(60, 2))
    let segments = file.table(
      at: header.number(32, 8), entry: header.number(54, 2), count: header.number(56, 2))
    let notes =
      sections.filter { $0.number(4, 4) == 7 }.map { ($0.number(24, 8), $0.number(32, 8)) }
      + segments.filter { $0.number(0, 4) == 4 }.map { ($0.number(8, 8), $0.number(32, 8)) }
    for (offset, size) in notes where size <= 1 << 16 {
      if let content = file.bytes(at: offset, count: Int(size)), let id = find(in: content) {
        return id
      }
    }
    return []
  }

  /// A note consists of three words (the size of its name, the size of its content, and its type),
  /// then the name and the content.
  static func find(in notes: [UInt8]) -> [UInt8]? {
    var offset = 0
    while notes.count - offset >= 12 {
      let name = Int(notes.number(offset, 4))
      let size = Int(notes.number(offset + 4, 4))
      let content = offset + 12 + aligned(name)
      guard size <= 1 << 16, name <= 1 << 16, content + size <= notes.count else { return nil }
      if notes.number(offset + 8, 4) == 3,
        notes[(offset + 12)...].prefix(4) == [71, 78, 85, 0][...]
      {
        return Array(notes[content..<content + size])
      }
      offset = content + aligned(size)
    }
    return nil
  }

  private static func aligned(_ bytes: Int) -> Int { (bytes + 3) & ~3 }
}

private struct ObjectFile {
  let descriptor: Int32

  func bytes(at offset: UInt64, count: Int) -> [UInt8]? {
    guard offset <= UInt64(Int64.max) - UInt64(count) else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    let got = bytes.withUnsafeMutableBytes {
      pread(descriptor, $0.baseAddress, count, off_t(offset))
    }
    return got == count ? bytes : nil
  }

  /// Returns the entries of one of the file's tables, padded to 64 bytes.
  func table(at offset: UInt64, entry: UInt64, count: UInt64) -> [[UInt8]] {
    guard offset > 0, entry >= 56, entry <= 256, count <= 4096,
      let whole = bytes(at: offset, count: Int(entry * count))
    else { return [] }
    return (0..<Int(count)).map { index in
      var bytes = Array(whole[index * Int(entry)..<(index + 1) * Int(entry)])
      bytes += Array(repeating: 0, count: max(0, 64 - bytes.count))
      return bytes
    }
  }
}

extension [UInt8] {
  fileprivate func number(_ offset: Int, _ size: Int) -> UInt64 {
    (0..<size).reduce(0) { $0 | UInt64(self[offset + $1]) << UInt64(8 * $1) }
  }
}
