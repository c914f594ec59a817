internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// The names of all code that a trace mentions, in a form that can be added to the trace.
struct TraceSymbols {
  private let frames: [StackFrame]
  private let symbolizer: Symbolizer
  /// The names that were found.
  let definitions: [TraceDefinition]

  init(_ reader: TraceReader, folders: [String] = []) {
    frames = reader.definitions.stacks.values.flatMap(\.frames) + reader.ending.frames
    symbolizer = Symbolizer(reader.definitions, folders: folders)
    definitions = symbolizer.lookUp(frames).map { .symbol($0) }
  }

  /// The reasons why some code has no name.
  var warnings: [String] { symbolizer.warnings }

  /// The share of addresses that have names.
  var summary: String {
    let addresses = Set(frames.map(\.lookup))
    let named = addresses.count { symbolizer.hasName($0) }
    return "\(named) of \(addresses.count) addresses have names"
  }

  /// Adds names to all files of a finished recording, including those filled before rotation.
  ///
  /// Damaged files are left untouched.
  static func bake(recordingAt path: String, isQuiet: Bool) {
    guard let last = try? TraceReader(path: path) else { return }
    for file in earlierParts(of: last) + [path] {
      guard let reader = try? TraceReader(path: file), reader.header.id == last.header.id else {
        continue
      }
      let symbols = TraceSymbols(reader)
      if !isQuiet, file == path { for warning in symbols.warnings { Messages.warning(warning) } }
      guard reader.damage.isEmpty else {
        Messages.warning(
          "\(file) is damaged, so no names were added; varve symbolicate writes them to another file"
        )
        continue
      }
      let draft = RewrittenFile.draft(of: file)
      UnfinishedFiles.add(draft)
      defer { UnfinishedFiles.remove(draft) }
      do throws(TraceFileError) {
        try TraceRepair.write(reader, to: file, replacing: true, adding: symbols.definitions)
      } catch {
        Messages.warning("\(file) names were not added: \(error)")
      }
    }
  }

  /// Returns the files that the recording filled earlier: `run-1.varve` beside `run.varve`, etc.
  private static func earlierParts(of reader: TraceReader) -> [String] {
    let suffix = ".varve"
    guard reader.path.hasSuffix(suffix) else { return [] }
    let stem = String(reader.path.dropLast(suffix.count))
    let parts = stem.split(separator: "/", omittingEmptySubsequences: false)
    let folder = parts.dropLast().joined(separator: "/")
    let name = (parts.last.map(String.init) ?? "") + "-"
    return FolderListing.names(in: folder.isEmpty ? (stem.hasPrefix("/") ? "/" : ".") : folder)
      .filter { file in
        file.hasPrefix(name) && file.hasSuffix(suffix)
          && file.dropFirst(name.count).dropLast(suffix.count).allSatisfy(\.isNumber)
      }
      .sorted().map { (folder.isEmpty && !stem.hasPrefix("/") ? "" : folder + "/") + $0 }
  }
}

extension TraceEnding {
  /// The frame in which a signal struck.
  fileprivate var frames: [StackFrame] {
    guard case .crashed(_, _, let counter?) = self else { return [] }
    return [StackFrame(address: counter, isResumption: true)]
  }
}
