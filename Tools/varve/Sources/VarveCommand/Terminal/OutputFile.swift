internal import VarveExport
internal import VarveFormat
internal import VarvePlatform

/// A file for results.
///
/// It is written as a draft beside its final path, and moved there when it is complete. An existing
/// file stays until then and is replaced only on request. The traces being read are never replaced.
struct OutputFile {
  /// The output that fills the file.
  let output: ByteOutput
  private let path: String
  private let replaces: Bool
  /// The path of the draft; nil for a device, which is written directly.
  private let draft: String?

  /// Where the file can be written by its path until it is complete; nil for a device.
  var writablePath: String? { draft }

  /// - Parameters:
  ///   - force: whether an existing file may be replaced.
  ///   - inputs: the traces that are read in the meantime.
  init(_ path: String, force: Bool, besides inputs: [String]) throws(CommandEnd) {
    let there = FileSystem.status(path)
    if there != nil, !force {
      throw CommandEnd(.wrongUsage, "\(path) already exists; --force overwrites it")
    }
    for input in inputs + inputs.map(Sidecar.path(ofTraceAt:))
    where there != nil && there == FileSystem.status(input) {
      throw CommandEnd(.wrongUsage, "\(path) is being read and cannot be overwritten")
    }
    let isFile = there?.isFile ?? true
    self.path = isFile ? FileSystem.resolved(path) : path
    replaces = force
    draft = isFile ? RewrittenFile.draft(of: self.path) : nil
    if let draft {
      UnfinishedFiles.add(draft)
      // The name can be guessed: a link that another user has put there must not be followed.
      unlink(draft)
    }
    let flags = O_WRONLY | O_CLOEXEC | (isFile ? O_CREAT | O_EXCL | O_NOFOLLOW : 0)
    let access = isFile ? FileAccess(ofFileAt: self.path) : nil
    let descriptor = open(draft ?? path, flags, mode_t(access?.initialMode ?? 0o666))
    guard descriptor >= 0 else { throw Self.unwritable(path) }
    if let draft { access?.pass(to: descriptor, at: draft) }
    // Closed by the end of the process: there is only one such file.
    output = ByteOutput(writingBehind: { Descriptor.write($0, to: descriptor) })
  }

  /// Moves the file to its place, after its output was closed.
  func publish() throws(CommandEnd) {
    guard let draft else { return }
    // Unlike `rename`, `link` does not replace a file that has appeared in the meantime. Where the
    // file system has no links, the earlier check must suffice.
    if !replaces, link(draft, path) == 0 { return UnfinishedFiles.remove(draft) }
    if !replaces, errno == EEXIST {
      throw CommandEnd(.wrongUsage, "\(path) already exists; --force overwrites it")
    }
    guard rename(draft, path) == 0 else { throw Self.unwritable(path) }
    UnfinishedFiles.remove(draft)
  }

  static func unwritable(_ path: String) -> CommandEnd {
    CommandEnd(.unreadable, "cannot write \(path): \(String(cString: strerror(errno)))")
  }

  /// Creates a unique file in the folder for temporary files.
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

extension FileSystem {
  /// The identity of a file.
  struct Status: Equatable {
    let device: UInt64
    let number: UInt64
    let mode: mode_t

    var isFile: Bool { mode & S_IFMT == S_IFREG }

    static func == (one: Status, other: Status) -> Bool {
      one.device == other.device && one.number == other.number
    }
  }

  /// Returns the identity of the file at a path; nil if there is none.
  static func status(_ path: String) -> Status? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Status(
      device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino),
      mode: status.st_mode)
  }

  /// Returns a path with its links resolved; unchanged if there is no file.
  static func resolved(_ path: String) -> String {
    guard let text = realpath(path, nil) else { return path }
    defer { free(text) }
    return String(cString: text)
  }
}
