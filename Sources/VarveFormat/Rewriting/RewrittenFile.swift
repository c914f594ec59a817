internal import VarvePlatform

/// A file that comes into being all at once: it is written under another name beside its place and
/// takes it when it is whole. Whatever was there stays as it is until then, and for good when
/// something goes wrong.
package struct RewrittenFile {
  private let path: String
  private let replaces: Bool
  /// Where it is written.
  let draft: String

  /// Where a file is written before it takes its place.
  package static func draft(of path: String) -> String { "\(path).part-\(own)" }

  /// Processes of different pid namespaces may have one id.
  private static let own =
    "\(getpid())-" + String(UInt32.random(in: .min ... .max), radix: 16)

  /// Prepares to write `path`.
  ///
  /// - Throws: a `TraceFileError` of code `wrongUse` when something is there already and is not to
  ///   be replaced, is no trace, or is one that a program is recording.
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

  /// Puts the file into its place.
  func publish() throws(TraceFileError) {
    if replaces {
      guard rename(draft, path) == 0 else {
        throw .system(.unwritable, "cannot create \(path)", errno)
      }
      return
    }
    // A link, unlike renaming, refuses to replace what somebody put there meanwhile. Where the file
    // system has no links the look that was taken before has to do.
    if link(draft, path) == 0 {
      unlink(draft)
    } else if errno == EEXIST {
      throw Self.isThere(path)
    } else if rename(draft, path) != 0 {
      throw .system(.unwritable, "cannot create \(path)", errno)
    }
  }

  /// Removes what was written so far.
  func discard() { unlink(draft) }

  private static func isThere(_ path: String) -> TraceFileError {
    TraceFileError(.wrongUse, "\(path) is there already; --force writes over it")
  }
}

extension RewrittenFile {
  /// Writes the file with `body` and puts it into its place, or leaves nothing behind.
  ///
  /// - Parameter isDurable: whether it must outlive a loss of power: something else that holds the
  ///   same is about to go.
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
