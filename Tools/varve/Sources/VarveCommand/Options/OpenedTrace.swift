internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat

/// A trace that a verb reads, and what is wrong with it.
struct OpenedTrace {
  let reader: TraceReader
  /// What messages call it.
  let title: String
  /// The arguments that name it.
  let names: [String]
  private let output: OutputOptions
  /// Whether warnings are unwanted, or the answer says itself what of the trace is missing.
  private let isQuiet: Bool
  private var isDamaged: Bool

  /// Opens a trace and says on standard error what of it is missing.
  init(_ path: String, _ output: OutputOptions) throws(CommandEnd) { try self.init([path], output) }

  /// Opens what the arguments name as one trace, and says what of it is missing unless the answer does.
  init(
    _ names: [String], _ output: OutputOptions, answerSaysWhatIsMissing: Bool = false
  ) throws(CommandEnd) {
    self.names = names
    self.output = output
    isQuiet = output.isQuiet || answerSaysWhatIsMissing
    let opened = try TraceInput.open(names, isQuiet: isQuiet)
    reader = opened.reader
    title = names.count == 1 ? names[0] : "\(names[0]) and others"
    isDamaged = opened.isDamaged || !reader.damage.isEmpty
    guard !isQuiet else { return }
    for warning in reader.warnings { Messages.warning("\(title): \(warning)") }
    for warning in TraceWarnings.losses(reader) + TraceWarnings.damage(reader) {
      Messages.warning("\(title): \(warning)")
    }
  }

  /// Says what an answer leaves out: blocks that turned out to be damaged while they were read, and
  /// what was passed over because there was too much of it to remember.
  mutating func report(_ damage: [TraceFileError], _ passedOver: PassedOver = PassedOver()) {
    isDamaged = isDamaged || !damage.isEmpty
    if !isQuiet {
      for error in damage { Messages.warning("\(title): passed over a block: \(error)") }
    }
    report(passedOver)
  }

  /// Says what an answer leaves out because there was too much of it to remember.
  func report(_ passedOver: PassedOver) {
    guard !output.isQuiet else { return }
    for warning in TraceWarnings.passedOver(passedOver) {
      Messages.warning("\(title): \(warning)")
    }
  }

  /// Ends with the status that the trace's condition and the result ask for.
  func end(found: Bool) throws(CommandEnd) {
    if isDamaged { throw CommandEnd(.damaged) }
    if !found { throw CommandEnd(.nothingMatched) }
  }
}
