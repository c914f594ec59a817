internal import VarveExport
internal import VarvePlatform

/// Where results go.
///
/// When whoever reads them has seen enough and goes (`varve replay f | head`), the command ends
/// without a word; when they cannot be written for another reason, it says so.
enum StandardOutput {
  // Safety: the command has one thread.
  nonisolated(unsafe) private static var pager: Pager?

  /// From now on, what is more than a screen goes through a pager, if one is wanted.
  static func usePager(_ isWanted: Bool) { pager = Pager(isWanted: isWanted) }

  /// An output for lines, to be closed with `close`.
  static func open() -> ByteOutput {
    signal(SIGPIPE, SIG_IGN)
    return ByteOutput { put($0) }
  }

  private static func put(_ bytes: UnsafeRawBufferPointer) -> Int32? {
    pager.map { $0.write(bytes) } ?? Descriptor.write(bytes, to: STDOUT_FILENO)
  }

  /// Shows what waits for a pager, and waits until it has been read.
  static func finish() {
    pager?.finish()
    pager = nil
  }

  /// Writes what is left.
  static func close(_ output: ByteOutput) throws(CommandEnd) {
    output.flush()
    try check(output)
  }

  /// Ends the command when nothing more can be written.
  static func check(_ output: ByteOutput) throws(CommandEnd) {
    guard let number = output.systemError else { return }
    if number == EPIPE { throw CommandEnd(.found) }
    throw CommandEnd(.unreadable, "cannot write the output: \(String(cString: strerror(number)))")
  }

  /// Writes text at once.
  static func write(_ text: String) { _ = Array(text.utf8).withUnsafeBytes { put($0) } }
}

/// Writes all of some bytes, however many calls that takes.
enum Descriptor {
  /// Returns the system's error number when it cannot.
  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
    var rest = bytes
    while !rest.isEmpty {
      let count = VarvePlatform.write(descriptor, rest.baseAddress, rest.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      if count < 0 { return errno }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
    return nil
  }

  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    bytes.withUnsafeBytes { write($0, to: descriptor) }
  }
}
