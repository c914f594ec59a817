internal import CVarveSystem
internal import VarvePlatform

/// An open file. Reads are `pread`, never a mapping: a file that shrinks while it is read gives
/// fewer bytes and not a signal.
final class TraceFile: Sendable {
  let path: String
  private let descriptor: Int32

  /// Opens a file for reading.
  init(reading path: String) throws(TraceFileError) {
    self.path = path
    // Opening a pipe must not wait for somebody to write into it.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .system(.unreadable, "cannot open \(path)", errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw TraceFileError(.unreadable, "\(path) is not a file that can be read in any order")
    }
  }

  /// Creates a file for writing in the place of one that is there. Only its owner may read it: a
  /// trace holds a program's values.
  ///
  /// It is a new one wherever that can be, as readable as what was there if that was ours: somebody may
  /// still be writing into it, and it may have another name. A link is followed, and what it leads to
  /// emptied.
  ///
  /// - Parameter name: what it is called in messages, if it is to be renamed. Such a file is always
  ///   a new one: what bears its name, a link perhaps, is removed and not followed.
  init(creating path: String, for name: String? = nil) throws(TraceFileError) {
    self.path = name ?? path
    let access = FileAccess(ofFileAt: self.path)
    let isGone = (name != nil || access != nil && Self.mayWrite(path)) && unlink(path) == 0
    let isNew = name != nil || isGone
    let manner = isNew ? O_EXCL | O_NOFOLLOW : O_TRUNC
    descriptor = open(path, O_RDWR | O_CREAT | manner | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system(.unwritable, "cannot create \(path)", errno) }
    vv_process_owns(descriptor)
    if isNew { access?.pass(to: descriptor, at: path) }
  }

  /// Whether a file may be written to: to remove it, its folder's permission is enough.
  private static func mayWrite(_ path: String) -> Bool {
    let file = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return false }
    close(file)
    return true
  }

  /// Takes over an open descriptor.
  init(descriptor: Int32) {
    path = "descriptor \(descriptor)"
    self.descriptor = descriptor
  }

  deinit { vv_process_close(descriptor) }

  /// Returns when the device holds all that was written.
  func synchronize() throws(TraceFileError) {
    guard fsync(descriptor) == 0 else {
      throw .system(.unwritable, "cannot write to \(path)", errno)
    }
  }

  /// Whether the file is the one that a path leads to.
  func isAt(_ path: String) -> Bool {
    var mine = stat()
    var there = stat()
    return fstat(descriptor, &mine) == 0 && stat(path, &there) == 0
      && mine.st_ino == there.st_ino && mine.st_dev == there.st_dev
  }

  /// Whether the file has no name any more: it goes when it is closed.
  var isRemoved: Bool {
    var mine = stat()
    return fstat(descriptor, &mine) == 0 && mine.st_nlink == 0
  }

  /// The file's size now.
  func size() throws(TraceFileError) -> UInt64 {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw .system(.unreadable, "cannot read \(path)", errno)
    }
    return UInt64(max(0, status.st_size))
  }

  /// Reads from `offset` on until `buffer` is full or the file ends; returns how many bytes.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64)
    throws(TraceFileError) -> Int
  {
    guard offset <= UInt64(Int64.max) else { return 0 }
    var done = 0
    while done < buffer.count {
      let count = pread(
        descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done,
        off_t(offset) + off_t(done))
      if count == 0 { break }
      if count < 0 {
        if errno == EINTR { continue }
        throw .system(.unreadable, "cannot read \(path)", errno)
      }
      done += count
    }
    return done
  }

  /// Writes all of `bytes` at `offset`. When the system refuses, the file is cut to where it was,
  /// as far as the system allows that.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(TraceFileError) {
    var done = 0
    while done < bytes.count {
      let start = bytes.baseAddress.map { $0 + done }
      let count = Int(
        vv_file_write(descriptor, offset + UInt64(done), start, UInt64(bytes.count - done)))
      if count < 0 {
        if errno == EINTR { continue }
        let reason = errno
        if done > 0 { _ = ftruncate(descriptor, off_t(offset)) }
        throw .system(.unwritable, "cannot write to \(path)", reason)
      }
      done += count
    }
  }
}

extension TraceFileError {
  /// An error with the system's own words for its number.
  static func system(_ code: Code, _ message: String, _ number: Int32) -> TraceFileError {
    TraceFileError(
      code, "\(message): \(String(cString: strerror(number)))", systemError: number)
  }
}
