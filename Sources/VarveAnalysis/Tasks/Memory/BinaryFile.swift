internal import VarvePlatform

/// A file whose parts are read as they are needed. It may be hostile, and may become shorter
/// meanwhile.
final class BinaryFile {
  private static let pageBytes = 4096
  private static let pages = 512

  let size: UInt64
  private let descriptor: Int32
  /// The pages that were read last, each in the place that its number determines.
  private var cache: [UInt64?] = Array(repeating: nil, count: pages)
  private var cached: [UInt8] = Array(repeating: 0, count: pages * pageBytes)

  /// Opens a regular file; nil if that is not possible.
  init?(path: String) {
    // The path may come from a file: opening a named pipe must not wait for a writer.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      return nil
    }
    size = UInt64(status.st_size)
  }

  deinit { close(descriptor) }

  /// Copies bytes; returns false if the file is too short.
  func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
    guard offset <= size, UInt64(buffer.count) <= size - offset else { return false }
    guard buffer.count <= 64 else { return readThrough(at: offset, into: buffer) }
    let (page, start) = (
      offset / UInt64(Self.pageBytes), Int(offset % UInt64(Self.pageBytes))
    )
    guard start + buffer.count <= Self.pageBytes else {
      return readThrough(at: offset, into: buffer)
    }
    let slot = Int(page % UInt64(Self.pages))
    return cached.withUnsafeMutableBytes { cached in
      let place = UnsafeMutableRawBufferPointer(
        rebasing: cached[slot * Self.pageBytes..<(slot + 1) * Self.pageBytes])
      if cache[slot] != page {
        cache[slot] = nil
        let first = page * UInt64(Self.pageBytes)
        let there = Int(min(UInt64(Self.pageBytes), size - first))
        guard readThrough(at: first, into: .init(rebasing: place[..<there])) else { return false }
        cache[slot] = page
      }
      buffer.copyMemory(from: .init(rebasing: place[start..<start + buffer.count]))
      return true
    }
  }

  private func readThrough(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
    var done = 0
    while done < buffer.count {
      let count = pread(
        descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done,
        off_t(clamping: offset) + off_t(done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }

  /// Returns bytes; nil if the file is too short or they are more than `most`.
  func bytes(at offset: UInt64, count: UInt64, most: UInt64) -> [UInt8]? {
    guard count <= most, offset <= size, count <= size - offset else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(count))
    return bytes.withUnsafeMutableBytes { read(at: offset, into: $0) } ? bytes : nil
  }
}
