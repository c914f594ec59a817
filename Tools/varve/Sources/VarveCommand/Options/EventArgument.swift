internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat
internal import VarveProbe

/// An event as named on the command line.
struct EventArgument {
  private let text: String
  private let files: [String]

  /// - Parameter files: the arguments that name the trace, for hints; if empty, there are no hints.
  init(_ text: String, of files: [String] = []) {
    self.text = text
    self.files = files
  }

  /// Returns the event's name: as written, or that of a named stream's last value or end.
  ///
  /// - Parameter words: find a stream by the line that made it, if given.
  func name(in reader: TraceReader, _ words: TraceWords? = nil) throws -> EventName {
    if let name = EventName(text) {
      guard reader.block(of: name) != nil else { throw UnknownEvent.error(name, in: reader) }
      return name
    }
    guard !text.hasPrefix("#"), UInt64(text) == nil else { throw UnknownEvent.unclear(text) }
    return try lastEvent(of: NamePattern(text), in: reader, words)
  }

  private func lastEvent(
    of pattern: NamePattern, in reader: TraceReader, _ words: TraceWords?
  ) throws -> EventName {
    var selection = Selection()
    let isName = reader.definitions.streams.values.contains { pattern.matches($0.name) }
    let atLine = isName ? [] : words?.streams(at: text) ?? []
    if atLine.isEmpty { selection.names = [pattern] } else { selection.streams = Set(atLine) }
    selection.kinds = KindSelection([.value, .failed, .completed, .interrupted])
    var query = try EventQuery(selection, in: reader, columns: [.kinds])
    guard query.filter.chosen?.isEmpty == false else {
      throw CommandEnd(
        .nothingMatched, Strangers.text(pattern, among: reader.definitions, of: files))
    }
    // A value or failure is preferred: the end alone is seldom what the question is about.
    var value: EventName?
    var end: EventName?
    query.run { page in
      page.forEach { batch, index in
        let name = batch.columns.name(index)
        switch RecordKind(rawValue: batch.columns.kinds[index]) {
        case .value, .failed: value = name
        default: end = name
        }
      }
      return true
    }
    guard let name = value ?? end else {
      let hint = "; try: " + TraceCommand(files).line("why-silent", pattern.text)
      throw CommandEnd(
        .nothingMatched, "\(pattern.text) delivered nothing\(files.isEmpty ? "" : hint)")
    }
    return name
  }
}

/// Reports that a pattern matches no stream, and suggests similar names.
enum Strangers {
  /// The same with the command that lists all streams of the trace that `files` name.
  static func text(
    _ pattern: NamePattern, among definitions: TraceDefinitions, of files: [String]
  ) -> String {
    guard !files.isEmpty else { return text(pattern, among: definitions) }
    return told(pattern) + nearest(pattern, among: definitions) + "; all streams: "
      + TraceCommand(files).line("streams", "--tree")
  }

  static func text(_ pattern: NamePattern, among definitions: TraceDefinitions) -> String {
    let hint = nearest(pattern, among: definitions)
    guard hint.isEmpty else { return told(pattern) + hint }
    return told(pattern)
      + (definitions.streams.isEmpty ? ": the trace has none" : "; varve streams lists them")
  }

  private static func told(_ pattern: NamePattern) -> String {
    "no stream matches \"\(pattern.text)\""
  }

  private static func nearest(
    _ pattern: NamePattern, among definitions: TraceDefinitions
  ) -> String {
    let streams = Set(definitions.streams.values.map(\.name))
    let nearest = NearestName.of(pattern.text, among: streams).map {
      "\"\(TerminalText.escaped($0))\""
    }
    return nearest.isEmpty ? "" : "; nearest: \(nearest.joined(separator: ", "))"
  }
}
