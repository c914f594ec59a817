internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat

/// A stream as named on the command line: by its name, a pattern, or the line that made it.
struct StreamArgument {
  private let text: String
  private let files: [String]

  /// - Parameter files: the arguments that name the trace, for hints.
  init(_ text: String, of files: [String]) {
    self.text = text
    self.files = files
  }

  /// Returns the matching streams; at least one.
  func streams(_ words: TraceWords, among definitions: TraceDefinitions) throws -> [UInt32] {
    let pattern = try NamePattern(text)
    let named = definitions.streams.values.filter { pattern.matches($0.name) }.map(\.id)
    let found = named.isEmpty ? words.streams(at: text) : named
    guard !found.isEmpty else {
      throw CommandEnd(.nothingMatched, Strangers.text(pattern, among: definitions, of: files))
    }
    return found.sorted()
  }
}
