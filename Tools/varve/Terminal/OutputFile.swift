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
}
