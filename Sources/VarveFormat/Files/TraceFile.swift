internal import CVarveSystem
internal import VarvePlatform

/// An open file. Reads use `pread`, never a mapping: if the file shrinks meanwhile, a read returns
/// fewer bytes instead of raising a signal.
final class TraceFile: Sendable {
  let path: String
  private let descriptor: Int32

  /// Opens a file for reading.
  init(reading path: String) throws(TraceFileError) {
    self.path = path
    // Opening a pipe must not wait for a writer.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .system(.unreadable, "cannot open \(path)", errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw TraceFileError(.unreadable, "\(path) is not a file that can be read in any order")
    }
  }

  /// Creates a file for writing, replacing an existing one. Only its owner may read it, since a
  /// trace holds a program's values.
  ///
  /// Wherever possible, the file is a new one, with the permissions of the existing file if that
  /// was ours: another process may still be writing to the existing one, and it may have other
  /// names. A link is followed, and its target truncated.
  ///
  /// - Parameter name: The name to use in messages if the file is to be renamed. Such a file is
  ///   always new: anything at its path, even a link, is removed and not followed.
  init(creating path: String, for name: String? = nil) throws(TraceFileError) {
    self.path = name ?? path
    let access = FileAccess(ofFileAt: self.path)
    let isGone = (name != nil || access != nil && Self.mayWrite(path)) && unlink(path) == 0
    let isNew = name != nil || isGone
    let manner = isNew ? O_EXCL | O_NOFOLLOW : O_TRUNC
    descriptor = open(path, O_RDWR | O_CREAT | manner | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system(.unwritable, "cannot create \(self.path)", errno) }
    vv_process_owns(descriptor)
    if isNew { access?.pass(to: descriptor, at: path) }
  }

  /// Returns whether a file may be written to: removing it requires only its folder's permission.
  private static func mayWrite(_ path: String) -> Bool {
    let file = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return false }
    close(file)
    return true
  }

  /// Takes ownership of an open descriptor.
  init(descriptor: Int32) {
    path = "descriptor \(descriptor)"
    self.descriptor = descriptor
  }

  deinit { vv_process_close(descriptor) }

  /// Waits until the device holds everything written.
  func synchronize() throws(TraceFileError) {
    guard fsync(descriptor) == 0 else {
      throw .system(.unwritable, "cannot write to \(path)", errno)
    }
  }

  /// Returns whether a path leads to this file.
  func isAt(_ path: String) -> Bool {
    var mine = stat()
    var there = stat()
    return fstat(descriptor, &mine) == 0 && stat(path, &there) == 0
      && mine.st_ino == there.st_ino && mine.st_dev == there.st_dev
  }

  /// Whether the file has no name left, and so disappears when it is closed.
  var isRemoved: Bool {
    var mine = stat()
    return fstat(descriptor, &mine) == 0 && mine.st_nlink == 0
  }

  /// Returns the current size of the file.
  func size() throws(TraceFileError) -> UInt64 {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw .system(.unreadable, "cannot read \(path)", errno)
    }
    return UInt64(max(0, status.st_size))
  }

  /// Reads from `offset` on until `buffer` is full or the file ends; returns the number of bytes.
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

  /// Writes all of `bytes` at `offset`. If the system refuses, truncates the file to `offset`, as
  /// far as the system allows.
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
  /// Creates an error that includes the system's description of an error number.
  static func system(_ code: Code, _ message: String, _ number: Int32) -> TraceFileError {
    TraceFileError(
      code, "\(message): \(String(cString: strerror(number)))", systemError: number)
  }
}
