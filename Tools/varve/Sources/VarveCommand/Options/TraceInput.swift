internal import ArgumentParser
internal import VarveFormat
internal import VarvePlatform

/// The traces that the arguments of a verb name: files, folders of files, or standard input.
///
/// Where a verb reads one trace, several are merged on one clock.
enum TraceInput {
  /// The help of the argument in verbs that read several traces.
  static let help = ArgumentHelp(
    "The trace. Several traces, or folders of traces, are shown as one, on one clock. - is standard input.",
    valueName: "file")

  /// The help of the argument in verbs that take one trace as it is.
  static let oneHelp = ArgumentHelp(
    "The trace, or a folder with only that trace. - is standard input.", valueName: "file")

  /// A trace, and whether something was left out when it was opened.
  struct Opened {
    var reader: TraceReader
    var isDamaged: Bool
  }

  /// Opens all named traces as one.
  ///
  /// Several are merged into an unnamed temporary file, because readers need random access.
  static func open(_ names: [String], isQuiet: Bool) throws(CommandEnd) -> Opened {
    let (readers, leftOut) = try readers(of: try sources(names))
    if !isQuiet { for end in leftOut { Messages.warning("left out \(end.message ?? "a trace")") } }
    guard readers.count > 1 else {
      return Opened(reader: readers[0], isDamaged: !leftOut.isEmpty)
    }
    let path = try TraceSource.temporary()
    defer { UnfinishedFiles.remove(path) }
    var opened = try merged(readers, in: path, isQuiet: isQuiet)
    opened.isDamaged = opened.isDamaged || !leftOut.isEmpty
    return opened
  }

  /// Opens traces. Those of a folder that cannot be read are left out, as long as others can.
  private static func readers(
    of sources: [TraceSource]
  ) throws(CommandEnd) -> (opened: [TraceReader], leftOut: [CommandEnd]) {
    var opened: [TraceReader] = []
    var leftOut: [CommandEnd] = []
    for source in sources {
      do {
        opened.append(try source.open())
      } catch {
        guard source.isOfFolder else { throw error }
        leftOut.append(error)
      }
    }
    if opened.isEmpty, let first = leftOut.first { throw first }
    return (opened, leftOut)
  }

  /// Opens the only trace that an argument of `verb` names.
  static func one(_ name: String, for verb: String) throws(CommandEnd) -> TraceReader {
    let sources = try sources([name])
    guard sources.count == 1 else {
      throw CommandEnd(
        .wrongUsage,
        "\(name): \(verb) takes one trace, and this folder has \(sources.count); varve merge makes "
          + "one of several")
    }
    return try sources[0].open()
  }

  /// Returns each of the named traces separately.
  ///
  /// - Parameter output: the file that is about to be written, which is skipped in folders.
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
        sources += files.map { TraceSource(file: $0, isOfFolder: files.count > 1) }
      } else {
        sources.append(TraceSource(file: name))
      }
    }
    return sources
  }

  /// Returns the files that the names stand for. Standard input and unreadable folders have none.
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
        "the traces were not recorded on one machine between two starts: their times are compared by the wall clock"
      )
    }
    for damage in outcome.damage {
      Messages.warning("left out \(damage.bytes) bytes at byte \(damage.offset): \(damage.reason)")
    }
    for reader in readers {
      for warning in reader.warnings { Messages.warning("\(reader.path): \(warning)") }
      if reader.ending == .running {
        Messages.warning("\(reader.path) is still being recorded; this shows what it has so far")
      }
    }
  }

  /// Returns the traces in a folder, sorted by name.
  private static func traces(in folder: String) throws(CommandEnd) -> [String] {
    let names = FolderListing.names(in: folder).filter { $0.hasSuffix(".varve") }.sorted()
    guard !names.isEmpty else {
      throw CommandEnd(.unreadable, "\(folder): no trace in this folder")
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
