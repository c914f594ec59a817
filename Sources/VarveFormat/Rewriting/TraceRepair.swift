/// A repair of a file whose writer died or that was damaged: it keeps every intact block as it is,
/// adds the contents of the sidecar, and writes an index and a trailer.
///
/// Events keep their names. Blocks of unknown kinds are kept if their checksums are right.
///
/// Repairing a trace in place makes its sidecar unnecessary: it is removed once the new file is
/// safely stored and has been found to contain everything in it.
public enum TraceRepair {
  /// Writes the repaired trace.
  ///
  /// - Parameters:
  ///   - reader: The trace.
  ///   - path: The path at which to write the repaired trace.
  ///   - replacing: Whether an existing trace at `path` may be replaced.
  ///   - definitions: Definitions to add to those in the trace.
  ///   - progress: Receives the progress from time to time.
  /// - Throws: A `TraceFileError`: `wrongUse` if the trace is still being recorded, or if there is
  ///   a file at `path` that must not be replaced; otherwise as reading and writing do.
  @discardableResult
  public static func write(
    _ reader: TraceReader, to path: String, replacing: Bool = false,
    adding definitions: [TraceDefinition] = [],
    progress: RewriteProgress = { _, _ in }
  ) throws(TraceFileError) -> RewriteOutcome {
    guard reader.ending != .running else {
      throw TraceFileError(
        .wrongUse, "\(reader.path) is still being recorded; it can be repaired when that is over")
    }
    let file = try RewrittenFile(path, replacing: replacing)
    let foldsAway = reader.isAt(path) && reader.sidecar != nil
    var outcome = try file.write(
      header: reader.header, isDurable: foldsAway
    ) { writer throws(TraceFileError) in
      var repair = Repair(reader: reader, writer: writer)
      try repair.copyBlocks(progress)
      try repair.foldSidecar()
      try writer.append(definitions: definitions)
      try writer.finish(ending: reader.ending)
      repair.outcome.events = writer.events
      repair.outcome.bytes = writer.bytes
      return repair.outcome
    }
    if foldsAway { outcome.isSidecarRemoved = Sidecar.removeFolded(ofTraceAt: path) }
    return outcome
  }
}

private struct Repair {
  let reader: TraceReader
  let writer: TraceWriter
  var outcome = RewriteOutcome()
  /// The last record written, by ring.
  private var last: [UInt32: UInt64] = [:]
  private let blocks: BlockSource
  private let decoder: BlockDecoder
  private var columns = EventColumns()
  private let composer = RecordComposer()

  init(reader: TraceReader, writer: TraceWriter) {
    self.reader = reader
    self.writer = writer
    let seed = reader.header.id.seed
    blocks = BlockSource(reader.file, seed: seed)
    decoder = BlockDecoder(reader.file, seed: seed)
    // The damage to the header and the sidecar; the blocks are checked again.
    outcome.damage = reader.damageOutsideBlocks
  }

  /// Walks over the file, ignoring its index.
  mutating func copyBlocks(_ progress: RewriteProgress) throws(TraceFileError) {
    let scan = FileScan(reader.file, seed: reader.header.id.seed)
    let size = reader.bytes
    let tail = try scan.walk(from: reader.contents.start, to: size) { step throws(TraceFileError) in
      switch step {
      case .gap(let damage): outcome.damage.append(damage)
      case .block(let bytes, let header, let offset):
        progress(offset, size)
        do throws(TraceFileError) {
          try copy(bytes, header, at: offset)
        } catch {
          guard error.code == .damaged else { throw error }
          outcome.damage.append(
            TraceDamage(
              offset: offset, bytes: UInt64(header.wholeBytes), reason: error.message))
        }
      }
    }
    if let tail { outcome.damage.append(tail) }
    try writer.append(losses: lost)
  }

  /// The events of the blocks that are damaged, as far as the file's index or their headers tell of them.
  private var lost: [TraceLoss] {
    let damage = outcome.damage.sorted { $0.offset < $1.offset }
    return reader.blocks.filter { block in
      guard let offset = block.offset else { return false }
      let next = damage.partitionPoint { $0.offset > offset }
      return next > 0 && offset - damage[next - 1].offset < max(damage[next - 1].bytes, 1)
    }.map { TraceLoss(of: $0) }
  }

  private mutating func copy(
    _ head: UnsafeRawBufferPointer, _ header: BlockHeader, at offset: UInt64
  ) throws(TraceFileError) {
    switch header.kind {
    case BlockKind.header, BlockKind.index, BlockKind.trailer: return
    case BlockKind.events: try copy(events: head, header, at: offset)
    case BlockKind.definitions, BlockKind.losses, BlockKind.anchors:
      try checkUnpacks(header, at: offset)
      fallthrough
    default:
      let (_, bytes) = try blocks.block(at: offset, bytes: header.wholeBytes)
      try writer.append(copyOf: bytes, header)
    }
  }

  /// Checks that a block without events can be unpacked, which its checksums do not ensure. A block
  /// that a later version packed is kept unchecked.
  private func checkUnpacks(_ header: BlockHeader, at offset: UInt64) throws(TraceFileError) {
    do throws(TraceFileError) {
      _ = try blocks.payload(header, at: offset)
    } catch {
      guard error.code == .newerVersion else { throw error }
    }
  }

  private mutating func copy(
    events head: UnsafeRawBufferPointer, _ header: BlockHeader, at offset: UInt64
  ) throws(TraceFileError) {
    guard let summary = EventBlockHeader.summary(head, header, offset: offset),
      summary.firstSequence > last[summary.ring] ?? 0
    else {
      throw TraceFileError(.damaged, "the block's header contradicts itself", offset: offset)
    }
    // A block that a later version packed is kept unchecked.
    if header.codec == BlockCodec.columns {
      try decoder.read(summary, at: offset)
      try decoder.decode(.all, into: &columns)
      if let lie = summary.lie(about: columns) {
        outcome.mended.append(
          TraceDamage(offset: offset, bytes: UInt64(header.wholeBytes), reason: lie))
        return try encode(summary)
      }
    }
    try writer.append(copyOf: summary, from: blocks)
    last[summary.ring] = summary.name(summary.count - 1).sequence
  }

  /// Rewrites a block whose events are sound but whose header is not, because queries rely on
  /// headers.
  private mutating func encode(_ block: BlockSummary) throws(TraceFileError) {
    columns.ring = block.ring
    columns.firstSequence = block.firstSequence
    try writer.append(
      records: composer.records(of: columns), ring: block.ring,
      firstSequence: block.firstSequence)
    last[block.ring] = block.name(block.count - 1).sequence
  }

  /// Adds what only the sidecar has.
  mutating func foldSidecar() throws(TraceFileError) {
    if let sidecar = reader.sidecar {
      try sidecar.definitions.withBytes { log throws(TraceFileError) in
        try writer.append(definitionLog: log)
      }
      let known = reader.contents.definitions.threads
      try writer.append(
        definitions: sidecar.threads.filter { known[$0.ring] == nil }.map { .thread($0) })
      let unsaid = reader.contents.overwritten(
        in: sidecar.rings, since: reader.header.anchor.ticks)
      try writer.append(losses: sidecar.losses + unsaid)
    }
    for (part, summary) in reader.leftovers.blocks.enumerated() {
      try reader.leftovers.withRecords(part) { records throws(TraceFileError) in
        try writer.append(
          records: records, ring: summary.ring, firstSequence: summary.firstSequence)
      }
      outcome.folded += UInt64(summary.count)
    }
    try noteLastSeen()
  }

  /// Keeps when the program was last known to be alive, as an anchor at the clock's own rate, if that
  /// was long after its last event. Times of events may then differ by a nanosecond, since an anchor
  /// has whole ones: a file of a program that did not hang is not changed for it.
  private func noteLastSeen() throws(TraceFileError) {
    let time = reader.time
    guard let last = time.anchors.last, time.lastTick > last.ticks, !time.isGuessed else { return }
    let since = time.nanoseconds(sinceStart: time.lastTick)
    let ticks = reader.blocks.map(\.ticks.upperBound).max() ?? last.ticks
    guard since - time.nanoseconds(sinceStart: ticks) >= Self.longSilence else { return }
    try writer.append(
      anchor: ClockAnchor(
        ticks: time.lastTick, monotonic: reader.header.anchor.monotonic &+ UInt64(max(since, 0))))
  }

  /// A silence at the end that is worth keeping, in nanoseconds.
  private static let longSilence: Int64 = 1_000_000_000
}

extension [UInt8] {
  /// Calls `body`, which may throw this module's errors, with the bytes.
  func withBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws(TraceFileError) -> Result
  ) throws(TraceFileError) -> Result {
    let lent = span.bytes
    return try lent.withUnsafeBytes(body)
  }
}
