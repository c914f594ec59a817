internal import Synchronization
internal import VarveProbe

/// Reads a trace: one that was finished, one that is still being written, one whose writer died.
///
/// Opening reads the file's index, or the headers of its blocks when there is none, and the rings
/// of its sidecar. Events are read block by block, when asked for; memory does not grow with the
/// file. Several threads may decode at once.
public final class TraceReader: Sendable {
  /// The file's path.
  public let path: String
  /// What the file says of itself.
  public let header: TraceHeader
  /// How the recording ended.
  public let ending: TraceEnding
  /// Streams, schedulers and threads.
  public let definitions: TraceDefinitions
  /// Where the events are, in the order of the file: its blocks, then what still lies
  /// in the sidecar's rings (their `offset` is nil).
  public let blocks: [BlockSummary]
  /// Events that the recorder had to drop, by the time when that began.
  public let losses: [TraceLoss]
  /// What of the file could not be read. Blocks are checked when they are decoded, so `verify()`
  /// may find more.
  public let damage: [TraceDamage]
  /// What else deserves to be said: a sidecar of another trace was ignored, or one is missing.
  public let warnings: [String]
  /// Whether the recording was not completed, and the sidecar that may hold its last events does not
  /// lie beside it.
  public let lacksSidecar: Bool
  /// Turns ticks into time.
  public let time: TraceTime
  /// The file's size, its sidecar not counted.
  public let bytes: UInt64
  /// Whether another file had taken this one's place at `path`, or none, when the reader was made by
  /// `refreshed()`: a recording goes on in another file at times.
  public let isReplaced: Bool

  let file: TraceFile
  let contents: TraceContents
  let leftovers: Leftovers
  /// What lies beside the file and belongs to it.
  let sidecar: SidecarSnapshot?
  let map: BlockMap
  /// Decoders that nobody uses at the moment.
  let decoders = Lock<DecoderPool>(DecoderPool())
  let inflated = Atomic<Int>(0)
  private let headerDamage: TraceDamage?

  /// Opens a trace.
  ///
  /// - Throws: a `TraceFileError`: `unreadable` when the system refuses, `notATrace` when the file
  ///   is something else, `newerVersion` when a later Varve wrote it, `damaged` when nothing of it
  ///   can be made out. Damage that leaves something to read is told by `damage`.
  public convenience init(path: String) throws(TraceFileError) {
    // The rings first and the file to its end afterwards: what leaves a ring meanwhile is in the
    // file before it does.
    let sidecar = try SidecarSnapshot(ofTraceAt: path)
    let file = try TraceFile(reading: path)
    let found = try FoundHeader(file)
    let contents = try FileScan(file, seed: found.header.id.seed).contents(from: found.end)
    try self.init(file, found.header, headerDamage: found.damage, contents, sidecar)
  }

  /// Reads what a writer has written so far, and nothing that lies beside it. The writer's file may
  /// have lost its name.
  package convenience init(writtenBy writer: TraceWriter) throws(TraceFileError) {
    let file = writer.file
    let found = try FoundHeader(file)
    let contents = try FileScan(file, seed: found.header.id.seed).contents(from: found.end)
    try self.init(file, found.header, headerDamage: found.damage, contents, nil)
  }

  private init(
    _ file: TraceFile, _ header: TraceHeader, headerDamage: TraceDamage?, _ contents: TraceContents,
    _ stranger: SidecarSnapshot?, isReplaced: Bool = false
  ) throws(TraceFileError) {
    self.isReplaced = isReplaced
    let sidecar = stranger?.trace == header.id ? stranger : nil
    self.file = file
    self.header = header
    self.contents = contents
    self.headerDamage = headerDamage
    self.sidecar = sidecar
    path = file.path
    bytes = try file.size()
    leftovers = Leftovers(
      sidecar?.rings ?? [], lastSequences: contents.lastSequences)
    blocks = contents.blocks + leftovers.blocks
    map = BlockMap(blocks)
    definitions = contents.definitions.adding(sidecar)
    let unsaid = contents.overwritten(in: sidecar?.rings ?? [], since: header.anchor.ticks)
    losses = contents.losses.adding((sidecar?.losses ?? []) + unsaid).sorted
    ending = contents.trailer?.ending ?? sidecar?.ending ?? .killed
    // What a writer that runs has not written to its end yet is no damage.
    let tail = ending == .running ? nil : contents.tail
    damage =
      [headerDamage].compactMap(\.self) + contents.damage + [tail].compactMap(\.self)
      + (sidecar?.damage ?? [])
    time = TraceTime(header: header, anchors: contents.anchors)
    lacksSidecar =
      contents.trailer == nil && sidecar == nil && !isReplaced
      && !RotatedFiles.isContinued(file.path, of: header.id)
    var warnings: [String] = []
    if let stranger, stranger.trace != header.id {
      warnings.append(
        "\(Sidecar.path(ofTraceAt: file.path)) belongs to another trace and was not read")
    } else if lacksSidecar {
      warnings.append(
        "nothing tells how the recording ended: its last events may be in its sidecar, FILE-live, "
          + "which is missing")
    }
    if time.isGuessed {
      warnings.append("the clock's rate is unknown: times are in ticks, not in nanoseconds")
    }
    self.warnings = warnings
  }

  /// What is wrong with the header and with the sidecar.
  var damageOutsideBlocks: [TraceDamage] {
    [headerDamage].compactMap(\.self) + (sidecar?.damage ?? [])
  }

  /// The pairs of ticks and time that the file holds beside the header's own.
  package var anchors: [ClockAnchor] { contents.anchors }

  /// How many events there are.
  public var events: UInt64 { blocks.reduce(0) { $0 + UInt64($1.count) } }

  /// How many of them lie in the sidecar alone.
  public var sidecarEvents: UInt64 { leftovers.blocks.reduce(0) { $0 + UInt64($1.count) } }

  /// The size of the sidecar; nil when none belongs to the trace.
  public var sidecarBytes: UInt64? { sidecar?.bytes }

  /// The same file as it is now: what was appended since this reader was made is read, the rest
  /// is taken over. A `GrowingTrace` goes on to the next file, too.
  public func refreshed() throws(TraceFileError) -> TraceReader {
    let sidecar = try SidecarSnapshot(ofTraceAt: path)
    // Looked at afterwards: what lies in the rings follows this file, if that is still in its place.
    // When it is no more, records between the two may be in the file that has replaced it.
    let isReplaced = !file.isAt(path)
    var contents = contents
    try FileScan(file, seed: header.id.seed).extend(&contents, to: file.size())
    return try TraceReader(
      file, header, headerDamage: headerDamage, contents, isReplaced ? nil : sidecar,
      isReplaced: isReplaced)
  }

  /// Whether the file has its trailer: nothing that the recorder knew is missing from it.
  var isComplete: Bool { contents.trailer != nil }

  /// Whether the file that is read is the one that a path leads to.
  func isAt(_ path: String) -> Bool { file.isAt(path) }

  /// Nanoseconds between the trace's start and a tick, which may lie before it. A `TickConverter`
  /// of `time` is faster for many.
  public func nanoseconds(sinceStart ticks: UInt64) -> Int64 { time.nanoseconds(sinceStart: ticks) }

  /// The block that holds an event; nil when none does.
  public func block(of event: EventName) -> Int? { map.block(of: event, in: blocks) }

  /// The blocks that may hold events of all that is asked for, told by their headers alone. Nothing
  /// is unpacked; whoever decodes only these touches no block that cannot match.
  ///
  /// - Parameters:
  ///   - streams: some of these streams; nil for any, and for records that are about schedulers.
  ///   - kinds: some of these kinds; nil for any.
  ///   - ticks: some tick of this range; nil for any.
  public func blocks(
    holding streams: StreamSet? = nil, kinds: KindSet? = nil, ticks: ClosedRange<UInt64>? = nil
  ) -> [Int] {
    blocks.indices.filter { index in
      let block = blocks[index]
      return streams.map(block.streams.mayIntersect) ?? true
        && kinds.map(block.kinds.mayIntersect) ?? true
        && ticks.map(block.ticks.overlaps) ?? true
    }
  }
}
