internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat

/// A trace that a verb reads, and its condition.
struct OpenedTrace {
  private(set) var reader: TraceReader
  /// The name of the trace in messages.
  let title: String
  /// The arguments that name the trace.
  let names: [String]
  private let output: OutputOptions
  /// Whether to omit warnings, because they are unwanted or the answer itself contains them.
  private let isQuiet: Bool
  private var isDamaged: Bool
  /// What is damaged, if every block was compared with its checksum.
  private var checked: [TraceDamage]?
  /// The damaged blocks that were reported, by their positions in the file.
  private var reported: Set<UInt64> = []

  /// Opens a trace and warns on standard error about what is missing from it.
  init(_ path: String, _ output: OutputOptions) throws(CommandEnd) { try self.init([path], output) }

  /// Opens the trace that the arguments name. Warns of what is missing unless the answer says so.
  ///
  /// - Parameter meetsDamage: whether damaged blocks are met as they are read, and not looked for before.
  init(
    _ names: [String], _ output: OutputOptions, answerSaysWhatIsMissing: Bool = false,
    meetsDamage: Bool = false
  ) throws(CommandEnd) {
    self.names = names
    self.output = output
    isQuiet = output.isQuiet || answerSaysWhatIsMissing
    let opened = try TraceInput.open(names, isQuiet: isQuiet)
    reader = opened.reader
    title = names.count == 1 ? names[0] : "\(names[0]) and others"
    isDamaged = opened.isDamaged || !reader.damage.isEmpty
    // What an answer is about has to know what it lacks. It takes no time to find that out in a short trace.
    if !meetsDamage { _ = try? checkBlocks(upTo: Self.checkedAlways) }
    defer { ReadingProgress.begin(of: reader, isQuiet: output.isQuiet) }
    guard !isQuiet else { return }
    for warning in reader.warnings { Messages.warning("\(title): \(warning)") }
    let command = TraceCommand(names)
    let losses = TraceWarnings.losses(reader, list: command.losses)
    let damage = TraceWarnings.damage(checked ?? reader.damage, list: command.line("verify"))
    for warning in losses + damage { Messages.warning("\(title): \(warning)") }
  }

  /// The number of events, as the headers of the blocks have it.
  var events: UInt64 { reader.blocks.reduce(0) { $0 + UInt64($1.count) } }

  /// Returns what was found in the trace, for an answer about all of it to mark the same line as the first
  /// page; nil if the answer is about a part of the trace, or if that page did not look for anything either.
  mutating func findings(for chosen: Selection) throws -> [Finding]? {
    guard chosen.since == nil, chosen.until == nil, chosen.ticks == nil,
      reader.events <= Info.mostEvents
    else { return nil }
    let history = try TraceHistory(reader)
    let lookup = EventLookup(reader)
    report(history.damage + lookup.damage, history.passedOver)
    return Findings(history, reader, lookup: lookup).all
  }

  /// Warns of what an answer leaves out: blocks that turned out to be damaged when they were read,
  /// and what was passed over because there was too much to remember.
  mutating func report(_ damage: [TraceFileError], _ passedOver: PassedOver = PassedOver()) {
    isDamaged = isDamaged || !damage.isEmpty
    for error in damage where error.offset.map({ reported.insert($0).inserted }) ?? true {
      if !output.isQuiet { Messages.warning("\(title): passed over a block: \(error)") }
    }
    report(passedOver)
  }

  /// Says what the reader of an answer has to know.
  func note(_ notes: [String]) {
    guard !output.isQuiet else { return }
    for note in notes { Messages.warning("\(title): \(note)") }
  }

  /// Compares every block with its checksum, and leaves out the damaged ones, whose events count as lost.
  /// Returns the damage; nil if the trace is so long that this would take longer than the answer may:
  /// `most` is in bytes.
  @discardableResult
  mutating func checkBlocks(upTo most: UInt64) throws -> [TraceDamage]? {
    if let checked { return checked }
    guard reader.bytes <= most else { return nil }
    let progress = Progress("check", isQuiet: output.isQuiet)
    defer { progress.clear() }
    let damage = try reader.checkBlocks { progress.show($0, of: $1) }
    isDamaged = isDamaged || !damage.isEmpty
    // The answer says it.
    reported.formUnion(damage.map(\.offset))
    reader = reader.leavingOut(damage)
    checked = damage
    return damage
  }

  /// The size up to which a trace is checked for an answer that may take about a second.
  static let checkedInASecond: UInt64 = 1 << 30
  /// The size up to which a trace is checked whatever is asked.
  private static let checkedAlways: UInt64 = 1 << 24
  /// The size up to which a trace is checked for an answer that is to be there at once.
  static let checkedAtOnce: UInt64 = 1 << 25

  /// Warns of what an answer leaves out because there was too much to remember.
  func report(_ passedOver: PassedOver) {
    guard !output.isQuiet else { return }
    for warning in TraceWarnings.passedOver(passedOver) {
      Messages.warning("\(title): \(warning)")
    }
  }

  /// Ends the command with the status that the condition of the trace and the result call for. If
  /// nothing was found, `message` says so and what to try, unless the answer said it.
  func end(found: Bool, orSay message: String? = nil) throws(CommandEnd) {
    ReadingProgress.end()
    guard !found else {
      if isDamaged { throw CommandEnd(.damaged) }
      return
    }
    let told = output.isQuiet ? nil : message
    throw CommandEnd(isDamaged ? .damaged : .nothingMatched, told)
  }

  /// The message that the trace has no streams at all.
  var noStreams: String {
    "the trace has no streams; \(TraceCommand(names).line("info")) says what it has"
  }
}
