internal import VarveExport
internal import VarveFormat

/// A trace that a verb reads, and what is wrong with it.
struct OpenedTrace {
  let reader: TraceReader
  private let isQuiet: Bool
  private var isDamaged: Bool

  /// Opens a trace and says on standard error what of it is missing.
  init(_ path: String, _ output: OutputOptions) throws(CommandEnd) {
    do {
      reader = try TraceReader(path: path)
    } catch {
      throw CommandEnd(Self.status(error.code), "\(path): \(error.message)")
    }
    isQuiet = output.isQuiet
    isDamaged = !reader.damage.isEmpty
    guard !isQuiet else { return }
    for warning in reader.warnings { Messages.warning("\(path): \(warning)") }
    for warning in TraceWarnings.losses(reader) + TraceWarnings.damage(reader) {
      Messages.warning("\(path): \(warning)")
    }
  }

  /// Says which blocks turned out to be damaged while they were read.
  mutating func report(_ damage: [TraceFileError]) {
    isDamaged = isDamaged || !damage.isEmpty
    guard !isQuiet else { return }
    for error in damage { Messages.warning("\(reader.path): passed over a block: \(error)") }
  }

  /// Ends with the status that the trace's condition and the result ask for.
  func end(found: Bool) throws(CommandEnd) {
    if isDamaged { throw CommandEnd(.damaged) }
    if !found { throw CommandEnd(.nothingMatched) }
  }

  private static func status(_ code: TraceFileError.Code) -> ExitStatus {
    code == .newerVersion ? .newerVersion : .unreadable
  }
}
