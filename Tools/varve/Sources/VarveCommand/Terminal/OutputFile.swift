internal import VarveExport
internal import VarveFormat
internal import VarvePlatform

/// A file that results go to. It is written under another name beside its place, and takes it when
/// it is whole. What is there already stays until then, and goes only when that was asked for; what
/// is read never goes.
struct OutputFile {
  /// Takes what the file is to hold.
  let output: ByteOutput
  private let path: String
  private let replaces: Bool
  /// Where it is written; nil when that is its place: a device has no other.
  private let draft: String?

  /// - Parameters:
  ///   - force: whether a file that is there may go.
  ///   - inputs: the traces that are read meanwhile.
  init(_ path: String, force: Bool, besides inputs: [String]) throws(CommandEnd) {
    let there = FileSystem.status(path)
    if there != nil, !force {
      throw CommandEnd(.wrongUsage, "\(path) is there already; --force writes over it")
    }
    for input in inputs + inputs.map(Sidecar.path(ofTraceAt:))
    where there != nil && there == FileSystem.status(input) {
      throw CommandEnd(.wrongUsage, "\(path) is read, and cannot be written over")
    }
    let isFile = there?.isFile ?? true
    self.path = isFile ? FileSystem.resolved(path) : path
    replaces = force
    draft = isFile ? RewrittenFile.draft(of: self.path) : nil
    if let draft {
      UnfinishedFiles.add(draft)
      // Its name can be guessed: a link that somebody laid there is not followed.
      unlink(draft)
    }
    let flags = O_WRONLY | O_CLOEXEC | (isFile ? O_CREAT | O_EXCL | O_NOFOLLOW : 0)
    let access = isFile ? FileAccess(ofFileAt: self.path) : nil
    let descriptor = open(draft ?? path, flags, mode_t(access?.initialMode ?? 0o666))
    guard descriptor >= 0 else { throw Self.unwritable(path) }
    if let draft { access?.pass(to: descriptor, at: draft) }
    // Closed by the process's end: there is one such file.
    output = ByteOutput { Descriptor.write($0, to: descriptor) }
  }

  /// Puts the file into its place, after its output was closed.
  func publish() throws(CommandEnd) {
    guard let draft else { return }
    // A link, unlike renaming, refuses to replace what somebody put there meanwhile. Where the file
    // system has no links the look that was taken before has to do.
    if !replaces, link(draft, path) == 0 { return UnfinishedFiles.remove(draft) }
    if !replaces, errno == EEXIST {
      throw CommandEnd(.wrongUsage, "\(path) is there already; --force writes over it")
    }
    guard rename(draft, path) == 0 else { throw Self.unwritable(path) }
    UnfinishedFiles.remove(draft)
  }

  private static func unwritable(_ path: String) -> CommandEnd {
    CommandEnd(.unreadable, "cannot write \(path): \(String(cString: strerror(errno)))")
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

extension FileSystem {
  /// Which file it is that lies at a path.
  struct Status: Equatable {
    let device: UInt64
    let number: UInt64
    let mode: mode_t

    var isFile: Bool { mode & S_IFMT == S_IFREG }

    static func == (one: Status, other: Status) -> Bool {
      one.device == other.device && one.number == other.number
    }
  }

  /// Nil when nothing is there.
  static func status(_ path: String) -> Status? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Status(
      device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino),
      mode: status.st_mode)
  }

  /// Where the links of a path lead, if there is something.
  static func resolved(_ path: String) -> String {
    guard let text = realpath(path, nil) else { return path }
    defer { free(text) }
    return String(cString: text)
  }
}
