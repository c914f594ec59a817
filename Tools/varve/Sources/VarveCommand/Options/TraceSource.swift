internal import VarveFormat
internal import VarvePlatform

/// A trace that the arguments name: a file, or a copy of standard input.
struct TraceSource {
  /// The name of the trace in messages.
  let name: String
  /// Whether it was named with others, by their folder: one that cannot be read is left out.
  let isOfFolder: Bool
  private let path: String
  private let isCopy: Bool

  /// Creates the source of a file.
  init(file path: String, isOfFolder: Bool = false) {
    (name, self.path, isCopy, self.isOfFolder) = (path, path, false, isOfFolder)
  }

  /// Copies standard input to a file that is removed once it has been opened, because readers need
  /// random access.
  init(standardInput: Void) throws(CommandEnd) {
    (name, path, isCopy, isOfFolder) = ("-", try Self.temporary(), true, false)
    try Self.spool(to: path)
  }

  /// Opens the trace.
  func open() throws(CommandEnd) -> TraceReader {
    defer { if isCopy { UnfinishedFiles.remove(path) } }
    do {
      return try TraceReader(path: path)
    } catch {
      let status: ExitStatus = error.code == .newerVersion ? .newerVersion : .unreadable
      // The message may begin with the file's path.
      let text = error.message
      let told = text.hasPrefix(path + " ") ? String(text.dropFirst(path.count + 1)) : text
      throw CommandEnd(status, told.contains(name) ? told : "\(name): \(told)")
    }
  }

  /// Creates a file in the folder for temporary files.
  static func temporary() throws(CommandEnd) -> String {
    let folder = Environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    return try Interruption.putOff { () throws(CommandEnd) in
      var template = Array("\(folder)/varve-XXXXXX".utf8CString)
      let descriptor = template.withUnsafeMutableBufferPointer { mkstemp($0.baseAddress!) }
      guard descriptor >= 0 else {
        throw CommandEnd(
          .unreadable,
          "cannot make a temporary file in \(folder): \(String(cString: strerror(errno)))")
      }
      close(descriptor)
      let path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
      UnfinishedFiles.add(path)
      return path
    }
  }

  /// Copies standard input to a file.
  private static func spool(to path: String) throws(CommandEnd) {
    let file = Descriptor.open(path)
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw CommandEnd(.unreadable, "-: \(String(cString: strerror(errno)))")
      }
      if count == 0 { return }
      if let number = Descriptor.write(Array(buffer[..<count]), to: file) {
        throw CommandEnd(.unreadable, "\(path): \(String(cString: strerror(number)))")
      }
    }
  }
}

extension Descriptor {
  /// Opens an existing file for writing.
  fileprivate static func open(_ path: String) -> Int32 {
    VarvePlatform.open(path, O_WRONLY | O_CLOEXEC)
  }
}
