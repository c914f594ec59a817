internal import VarveExport
internal import VarvePlatform

/// The output of results.
///
/// If the reader closes the pipe (`varve replay f | head`), the command ends silently; any other
/// failure to write is reported.
enum StandardOutput {
  // Safety: the command has one thread.
  nonisolated(unsafe) private static var pager: Pager?

  /// Shows later output through a pager once it exceeds a screen, if `isWanted`.
  /// Otherwise, lines are cut as `style` says.
  static func usePager(_ isWanted: Bool, cutting style: OutputStyle) {
    pager = Pager(isWanted: isWanted, cutting: style)
  }

  /// Whether a pager may show the output.
  static var mayBePaged: Bool { pager != nil }

  /// Returns an output for lines, to be closed with `close`.
  static func open() -> ByteOutput {
    signal(SIGPIPE, SIG_IGN)
    // What people look at is written by the thread that says how far it is.
    if mayBePaged || Terminal.isThere { return ByteOutput { put($0) } }
    return ByteOutput(writingBehind: { Descriptor.write($0, to: STDOUT_FILENO) })
  }

  private static func put(_ bytes: UnsafeRawBufferPointer) -> Int32? {
    if Terminal.isThere { ReadingProgress.end() }
    return pager.map { $0.write(bytes) } ?? Descriptor.write(bytes, to: STDOUT_FILENO)
  }

  /// Shows the output that was held back, and waits for the pager to end.
  static func finish() {
    pager?.finish()
    pager = nil
  }

  /// Writes the rest of an output.
  static func close(_ output: ByteOutput) throws(CommandEnd) {
    output.flush()
    try check(output)
  }

  /// Ends the command if nothing more can be written.
  static func check(_ output: ByteOutput) throws(CommandEnd) {
    guard let number = output.systemError else { return }
    if number == EPIPE { throw CommandEnd(.found) }
    throw CommandEnd(.unreadable, "cannot write the output: \(String(cString: strerror(number)))")
  }

  /// Writes text immediately.
  static func write(_ text: String) { _ = Array(text.utf8).withUnsafeBytes { put($0) } }
}

/// Writes all bytes, in as many calls as necessary.
enum Descriptor {
  /// Writes bytes; returns the system's error number on failure.
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
