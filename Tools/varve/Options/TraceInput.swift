internal import ArgumentParser
internal import VarveFormat

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// What the arguments of a reading verb name: one trace; several, or folders of them, that become
/// one on one clock; standard input.
enum TraceInput {
  /// What the argument means.
  static let help = ArgumentHelp(
    "The trace; several, or folders of them, become one on one clock; - is standard input.",
    valueName: "file")

  /// A trace, and whether something was left out of it on the way.
  struct Opened {
    var reader: TraceReader
    var isDamaged: Bool
  }

  /// Opens all that is named as one trace.
  ///
  /// What is not one file is put into one that has no name: readers look here and there in a trace.
  static func open(_ names: [String], isQuiet: Bool) throws(CommandEnd) -> Opened {
    var paths: [String] = []
    var spools: [String] = []
    defer { for path in spools { UnfinishedFiles.remove(path) } }
    for name in names {
      if name == "-" {
        let path = try temporary()
        spools.append(path)
        try spool(to: path)
        paths.append(path)
      } else if FileSystem.isFolder(name) {
        paths += try traces(in: name)
      } else {
        paths.append(name)
      }
    }
    var readers: [TraceReader] = []
    for path in paths {
      readers.append(try reader(at: path, called: spools.contains(path) ? "-" : path))
    }
    guard readers.count > 1 else { return Opened(reader: readers[0], isDamaged: false) }
    let path = try temporary()
    spools.append(path)
    return try merged(readers, in: path, isQuiet: isQuiet)
  }

  /// The files that the names stand for, as far as there are some.
  static func paths(_ names: [String]) -> [String] {
    names.flatMap { name -> [String] in
      if name == "-" { return [] }
      guard FileSystem.isFolder(name) else { return [name] }
      return (try? traces(in: name)) ?? []
    }
  }

  private static func reader(at path: String, called name: String) throws(CommandEnd) -> TraceReader
  {
    do {
      return try TraceReader(path: path)
    } catch {
      let status: ExitStatus = error.code == .newerVersion ? .newerVersion : .unreadable
      // What the error says may begin with the file's path.
      let text = error.message
      let told = text.hasPrefix(path + " ") ? String(text.dropFirst(path.count + 1)) : text
      throw CommandEnd(status, told.contains(name) ? told : "\(name): \(told)")
    }
  }

  private static func merged(
    _ readers: [TraceReader], in path: String, isQuiet: Bool
  ) throws(CommandEnd) -> Opened {
    let progress = Progress("merging", isQuiet: isQuiet)
    defer { progress.clear() }
    let draft = RewrittenFile.draft(of: path)
    UnfinishedFiles.add(draft)
    defer { UnfinishedFiles.remove(draft) }
    do {
      let outcome = try TraceMerge.write(
        readers, to: path, replacing: true, allowsRunning: true
      ) { done, all in progress.show(done, of: all) }
      progress.clear()
      if !isQuiet { tell(outcome, readers) }
      return Opened(reader: try TraceReader(path: path), isDamaged: !outcome.damage.isEmpty)
    } catch {
      throw CommandEnd(error.code == .wrongUse ? .wrongUsage : .unreadable, error.description)
    }
  }

  private static func tell(_ outcome: RewriteOutcome, _ readers: [TraceReader]) {
    if TraceMerge.isByCalendar(readers) {
      Messages.warning(
        "the traces are not of one run of one machine: their times are compared by the calendar")
    }
    for damage in outcome.damage {
      Messages.warning("left out \(damage.bytes) bytes at byte \(damage.offset): \(damage.reason)")
    }
    for reader in readers {
      for warning in reader.warnings { Messages.warning("\(reader.path): \(warning)") }
      if reader.ending == .running {
        Messages.warning("\(reader.path) is still being recorded; what was there is shown")
      }
    }
  }

  /// The traces in a folder, by name.
  private static func traces(in folder: String) throws(CommandEnd) -> [String] {
    let names = FolderListing.names(in: folder).filter { $0.hasSuffix(".varve") }.sorted()
    guard !names.isEmpty else {
      throw CommandEnd(.unreadable, "\(folder): there is no trace in this folder")
    }
    return names.map { "\(folder)/\($0)" }
  }

  private static func temporary() throws(CommandEnd) -> String {
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

  /// Copies standard input.
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
  /// A file that is there, for writing.
  fileprivate static func open(_ path: String) -> Int32 {
    #if canImport(Darwin)
      Darwin.open(path, O_WRONLY | O_CLOEXEC)
    #elseif canImport(Glibc)
      Glibc.open(path, O_WRONLY | O_CLOEXEC)
    #elseif canImport(Musl)
      Musl.open(path, O_WRONLY | O_CLOEXEC)
    #endif
  }
}

extension FileSystem {
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
