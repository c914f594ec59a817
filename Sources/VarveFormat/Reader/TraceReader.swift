internal import Synchronization
internal import VarveProbe

/// A reader of a trace, whether it was finished, is still being written, or its writer died.
///
/// Opening reads the file's index, or the headers of its blocks if there is none, and the rings of
/// its sidecar. Events are read block by block, on demand, so memory does not grow with the file.
/// Several threads may decode at once.
public final class TraceReader: Sendable {
  /// The file's path.
  public let path: String
  /// The file's header.
  public let header: TraceHeader
  /// The way the recording ended.
  public let ending: TraceEnding
  /// The definitions of streams, schedulers, threads, and so on.
  public let definitions: TraceDefinitions
  /// The blocks of events: those of the file in its order, then those still in the sidecar's rings
  /// (their `offset` is nil).
  public let blocks: [BlockSummary]
  /// Events that the recorder had to drop, ordered by the start of the loss.
  public let losses: [TraceLoss]
  /// The parts of the file that could not be read. Blocks are checked when they are decoded, so
  /// `verify()` may find more.
  public let damage: [TraceDamage]
  /// Other warnings: a sidecar of another trace was ignored, or one is missing.
  public let warnings: [String]
  /// Whether the recording was not completed, and the sidecar that may hold its last events is
  /// missing.
  public let lacksSidecar: Bool
  /// The conversion of ticks to time.
  public let time: TraceTime
  /// The file's size, without its sidecar.
  public let bytes: UInt64
  /// Whether the file was no longer at `path` when `refreshed()` created this reader: recordings
  /// sometimes continue in another file.
  public let isReplaced: Bool

  let file: TraceFile
  let contents: TraceContents
  let leftovers: Leftovers
  /// The sidecar beside the file, if it belongs to it.
  let sidecar: SidecarSnapshot?
  let map: BlockMap
  /// Decoders that are not in use.
  let decoders = Lock<DecoderPool>(DecoderPool())
  let inflated = Atomic<Int>(0)
  /// What is told of each block that is read.
  private let watcher = Lock<(@Sendable (Int) -> Void)?>(nil)
  /// Whether a block's columns are to be decoded; nil if they always are.
  let isWanted: (@Sendable (_ block: Int, _ columns: ColumnSet) -> Bool)?
  private let headerDamage: TraceDamage?

  /// Opens a trace.
  ///
  /// - Throws: A `TraceFileError`: `unreadable` if the system refuses, `notATrace` if the file is
  ///   something else, `newerVersion` if a later Varve wrote it, `damaged` if nothing in it can be
  ///   read. Damage that leaves something to read is listed in `damage`.
  public convenience init(path: String) throws(TraceFileError) {
    // The rings are read first, then the file to its end: records that leave a ring meanwhile are
    // in the file by then.
    let sidecar = try SidecarSnapshot(ofTraceAt: path)
    let file = try TraceFile(reading: path)
    let found = try FoundHeader(file)
    let contents = try FileScan(file, seed: found.header.id.seed).contents(from: found.end)
    try self.init(file, found.header, headerDamage: found.damage, contents, sidecar)
  }

  /// Reads what a writer has written so far, without a sidecar. The writer's file may have been
  /// unlinked.
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
    isWanted = nil
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
    let told = contents.losses.adding((sidecar?.losses ?? []) + unsaid)
    losses = told.adding(DamagedEvents.between(blocks, Array(told.all))).sorted
    ending = contents.trailer?.ending ?? sidecar?.ending ?? .killed
    // While the writer is running, an incomplete end is no damage.
    let tail = ending == .running ? nil : contents.tail
    damage =
      [headerDamage].compactMap(\.self) + contents.damage + [tail].compactMap(\.self)
      + (sidecar?.damage ?? [])
    // In a file with a trailer, the last anchor is as late.
    let lastSeen = contents.trailer == nil ? sidecar?.lastSeen : nil
    time = TraceTime(header: header, anchors: contents.anchors, lastSeen: lastSeen ?? 0)
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
    if let signal = sidecar?.survivedSignal, contents.trailer == nil {
      warnings.append("signal \(signal) struck the program, and a handler of its own let it go on")
    }
    if time.isGuessed {
      warnings.append("the clock's rate is unknown: times are in ticks, not in nanoseconds")
    }
    self.warnings = warnings
  }

  /// Creates another reader of a trace, without some of its blocks.
  private init(
    _ other: TraceReader, without leftOut: Set<Int>, damage: [TraceDamage],
    while isWanted: (@Sendable (Int, ColumnSet) -> Bool)?
  ) {
    (path, bytes, isReplaced) = (other.path, other.bytes, other.isReplaced)
    (file, header, headerDamage) = (other.file, other.header, other.headerDamage)
    (contents, sidecar, leftovers) = (other.contents, other.sidecar, other.leftovers)
    definitions = other.definitions
    (self.damage, warnings) = (damage, other.warnings)
    (ending, time, lacksSidecar) = (other.ending, other.time, other.lacksSidecar)
    if leftOut.isEmpty {
      (blocks, map, losses) = (other.blocks, other.map, other.losses)
    } else {
      blocks = other.blocks.indices.filter { !leftOut.contains($0) }.map { other.blocks[$0] }
      map = BlockMap(blocks)
      var table = LossTable().adding(other.losses)
      for index in leftOut { table.insert(TraceLoss(of: other.blocks[index])) }
      losses = table.sorted
    }
    self.isWanted = isWanted
  }

  convenience init(_ other: TraceReader, without leftOut: Set<Int>, damage: [TraceDamage]) {
    self.init(other, without: leftOut, damage: damage, while: other.isWanted)
  }

  /// Returns another reader of the same trace, all of whose blocks become unreadable when nobody
  /// wants them any more. So whatever reads it can be cancelled, and comes to its end at once.
  ///
  /// - Parameter isWanted: Called before a block is decoded, with its index and the columns, by all
  ///   threads that decode.
  package func reading(
    while isWanted: @escaping @Sendable (_ block: Int, _ columns: ColumnSet) -> Bool
  ) -> TraceReader {
    TraceReader(self, without: [], damage: damage, while: isWanted)
  }

  /// Has `body` called with the index of each block that is read from the file, on the thread that
  /// reads it, from now on; nil ends this.
  public func watch(_ body: (@Sendable (_ block: Int) -> Void)?) {
    watcher.withLock { $0 = body }
  }

  /// Tells the watcher that a block is read.
  func tellWatcher(_ block: Int) {
    let body = watcher.withLock { $0 }
    body?(block)
  }

  /// The damage to the header and the sidecar.
  var damageOutsideBlocks: [TraceDamage] {
    [headerDamage].compactMap(\.self) + (sidecar?.damage ?? [])
  }

  /// The clock anchors in the file, besides the header's own.
  package var anchors: [ClockAnchor] { contents.anchors }

  /// The number of events.
  public var events: UInt64 { blocks.reduce(0) { $0 + UInt64($1.count) } }

  /// The number of events that are only in the sidecar.
  public var sidecarEvents: UInt64 { leftovers.blocks.reduce(0) { $0 + UInt64($1.count) } }

  /// The size of the sidecar; nil if none belongs to the trace.
  public var sidecarBytes: UInt64? { sidecar?.bytes }

  /// Returns a reader of the same file as it is now: reads what was appended since this reader was
  /// created, and takes over the rest. A `GrowingTrace` also continues to the next file.
  public func refreshed() throws(TraceFileError) -> TraceReader {
    let sidecar = try SidecarSnapshot(ofTraceAt: path)
    // Checked afterwards: the rings continue this file only if it is still at its path. Otherwise,
    // records between the two may be in the file that replaced it.
    let isReplaced = !file.isAt(path)
    var contents = contents
    try FileScan(file, seed: header.id.seed).extend(&contents, to: file.size())
    return try TraceReader(
      file, header, headerDamage: headerDamage, contents, isReplaced ? nil : sidecar,
      isReplaced: isReplaced)
  }

  /// Whether the file has its trailer, and so contains everything that the recorder knew.
  var isComplete: Bool { contents.trailer != nil }

  /// Returns whether a path leads to the file being read.
  func isAt(_ path: String) -> Bool { file.isAt(path) }

  /// Returns the nanoseconds from the trace's start to a tick, which may be earlier. For many
  /// ticks, a `TickConverter` of `time` is faster.
  public func nanoseconds(sinceStart ticks: UInt64) -> Int64 { time.nanoseconds(sinceStart: ticks) }

  /// Returns the block that contains an event; nil if none does.
  public func block(of event: EventName) -> Int? { map.block(of: event, in: blocks) }

  /// Returns the blocks that may contain matching events, judging by their headers alone. Nothing
  /// is unpacked; decoding only these blocks touches no block that cannot match.
  ///
  /// - Parameters:
  ///   - streams: Streams of which at least one must occur; nil for any, and for records that refer
  ///     to schedulers.
  ///   - kinds: Kinds of which at least one must occur; nil for any.
  ///   - ticks: A range that must contain some tick; nil for any.
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
