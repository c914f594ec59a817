internal import ArgumentParser
internal import VarveFormat
internal import VarvePlatform

/// What the arguments of a verb name: one trace; several, or folders of them, that become one on one
/// clock where a verb reads one; standard input.
enum TraceInput {
  /// What the argument means.
  static let help = ArgumentHelp(
    "The trace; several, or folders of them, become one on one clock; - is standard input.",
    valueName: "file")

  /// What the argument means to a verb that takes one trace as it is.
  static let oneHelp = ArgumentHelp(
    "The trace, or a folder that holds no other; - is standard input.", valueName: "file")

  /// A trace, and whether something was left out of it on the way.
  struct Opened {
    var reader: TraceReader
    var isDamaged: Bool
  }

  /// Opens all that is named as one trace.
  ///
  /// What is not one file is put into one that has no name: readers look here and there in a trace.
  static func open(_ names: [String], isQuiet: Bool) throws(CommandEnd) -> Opened {
    var readers: [TraceReader] = []
    for source in try sources(names) { readers.append(try source.open()) }
    guard readers.count > 1 else { return Opened(reader: readers[0], isDamaged: false) }
    let path = try TraceSource.temporary()
    defer { UnfinishedFiles.remove(path) }
    return try merged(readers, in: path, isQuiet: isQuiet)
  }

  /// Opens the one trace that an argument of `verb` names.
  static func one(_ name: String, for verb: String) throws(CommandEnd) -> TraceReader {
    let sources = try sources([name])
    guard sources.count == 1 else {
      throw CommandEnd(
        .wrongUsage,
        "\(name): \(verb) takes one trace, and \(sources.count) are in this folder; varve merge makes "
          + "one of them")
    }
    return try sources[0].open()
  }

  /// All traces that are named, each by itself.
  ///
  /// - Parameter output: a file that is about to be written: in a folder it is not meant.
  static func sources(
    _ names: [String], besides output: String? = nil
  ) throws(CommandEnd) -> [TraceSource] {
    let written = output.flatMap { FileSystem.status($0) }
    var sources: [TraceSource] = []
    for name in names {
      if name == "-" {
        sources.append(try TraceSource(standardInput: ()))
      } else if FileSystem.isFolder(name) {
        let files = try traces(in: name).filter {
          written == nil || FileSystem.status($0) != written
        }
        sources += files.map { TraceSource(file: $0) }
      } else {
        sources.append(TraceSource(file: name))
      }
    }
    return sources
  }

  /// The files that the names stand for, as far as there are some.
  static func paths(_ names: [String]) -> [String] {
    names.flatMap { name -> [String] in
      if name == "-" { return [] }
      guard FileSystem.isFolder(name) else { return [name] }
      return (try? traces(in: name)) ?? []
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
}

extension FileSystem {
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
