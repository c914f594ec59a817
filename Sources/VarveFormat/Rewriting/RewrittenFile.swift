internal import VarvePlatform

/// A file that appears all at once: it is written under another name in the same folder and renamed
/// when it is complete. An existing file stays as it is until then, and for good if something goes
/// wrong.
package struct RewrittenFile {
  private let path: String
  private let replaces: Bool
  /// The path at which it is written.
  let draft: String

  /// Returns the path at which a file is written before it is moved into place.
  package static func draft(of path: String) -> String { "\(path).part-\(own)" }

  /// Processes in different PID namespaces may have the same ID.
  private static let own =
    "\(getpid())-" + String(UInt32.random(in: .min ... .max), radix: 16)

  /// Prepares to write `path`.
  ///
  /// - Throws: A `TraceFileError` of code `wrongUse` if there is a file already that must not be
  ///   replaced, is not a trace, or is being recorded to by a program.
  init(_ path: String, replacing: Bool) throws(TraceFileError) {
    self.path = path
    replaces = replacing
    draft = Self.draft(of: path)
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    guard replacing else { throw Self.isThere(path) }
    try TraceWriter.checkReplaceable(path)
    if let writer = try Sidecar.writer(ofTraceAt: path), writer.isRecording {
      throw TraceFileError(
        .wrongUse, "\(writer) is recording to \(path); choose another path")
    }
  }

  /// Moves the file into place.
  func publish() throws(TraceFileError) {
    if replaces {
      guard rename(draft, path) == 0 else {
        throw .system(.unwritable, "cannot create \(path)", errno)
      }
      return
    }
    // Unlike a rename, a link refuses to replace a file that has appeared meanwhile. On file
    // systems without links, the earlier check has to do.
    if link(draft, path) == 0 {
      unlink(draft)
    } else if errno == EEXIST {
      throw Self.isThere(path)
    } else if rename(draft, path) != 0 {
      throw .system(.unwritable, "cannot create \(path)", errno)
    }
  }

  /// Removes what has been written so far.
  func discard() { unlink(draft) }

  private static func isThere(_ path: String) -> TraceFileError {
    TraceFileError(.wrongUse, "\(path) is there already; --force writes over it")
  }
}

extension RewrittenFile {
  /// Writes the file with `body` and moves it into place, or leaves nothing behind.
  ///
  /// - Parameter isDurable: Whether the file must survive a loss of power, because another copy of
  ///   its contents is about to be removed.
  func write<Outcome>(
    header: TraceHeader, isDurable: Bool = false,
    _ body: (TraceWriter) throws(TraceFileError) -> Outcome
  ) throws(TraceFileError) -> Outcome {
    do throws(TraceFileError) {
      let writer = try TraceWriter(creating: draft, for: path, header: header)
      let outcome = try body(writer)
      if isDurable { try writer.file.synchronize() }
      try publish()
      return outcome
    } catch {
      discard()
      throw error
    }
  }
}
