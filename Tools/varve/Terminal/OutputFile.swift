internal import VarveExport

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A file that results go to. What is there already is written over only when that was asked for.
enum OutputFile {
  static func create(_ path: String, force: Bool) throws(CommandEnd) -> ByteOutput {
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC | (force ? O_TRUNC : O_EXCL)
    let descriptor = open(path, flags, 0o666)
    guard descriptor >= 0 else {
      if errno == EEXIST {
        throw CommandEnd(.wrongUsage, "\(path) is there already; --force writes over it")
      }
      throw CommandEnd(.unreadable, "cannot write \(path): \(String(cString: strerror(errno)))")
    }
    // Closed by the process's end: there is one such file.
    return ByteOutput { Descriptor.write($0, to: descriptor) }
  }

  /// A file that nobody else has, in the folder for temporary files.
  static func temporary(suffix: String) throws(CommandEnd) -> (path: String, output: ByteOutput) {
    let folder = Environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var template = Array("\(folder)/varve-XXXXXX\(suffix)".utf8CString)
    let descriptor = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.map { mkstemps($0, Int32(suffix.utf8.count)) } ?? -1
    }
    guard descriptor >= 0 else {
      throw CommandEnd(
        .unreadable,
        "cannot make a temporary file in \(folder): \(String(cString: strerror(errno)))")
    }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return (path, ByteOutput { Descriptor.write($0, to: descriptor) })
  }
}
