/// The contents of a trace's file: the positions of its event blocks, and the contents of the
/// others.
struct TraceContents {
  /// The event blocks that the index lists or that were found.
  private(set) var blocks: [BlockSummary] = []
  private(set) var definitions = TraceDefinitions()
  private(set) var losses = LossTable()
  private(set) var anchors: [ClockAnchor] = []
  private(set) var damage: [TraceDamage] = []
  private(set) var trailer: Trailer?
  /// The number of events in the blocks.
  private(set) var events: UInt64 = 0
  /// The number of the last record in a block, by ring.
  private(set) var lastSequences: [UInt32: UInt64] = [:]
  /// The streams of the last block, by ring.
  private var lastStreams: [UInt32: StreamSet] = [:]
  /// The position of the first block.
  let start: UInt64
  /// Whether the contents of blocks without events are kept, or only checked.
  private let keepsFacts: Bool
  /// The end of the last whole block.
  var end: UInt64
  /// The bytes after it that are not a whole block: the rest of a block that was cut off, or one
  /// that is being written.
  var tail: TraceDamage?

  /// - Parameter keepsFacts: Whether the contents of blocks without events are kept; they are
  ///   checked in any case.
  init(from offset: UInt64, keepsFacts: Bool = true) {
    start = offset
    end = offset
    self.keepsFacts = keepsFacts
  }

  /// Adds a block. `payload` returns the checked and unpacked payload, and is called for blocks
  /// without events.
  mutating func add(
    _ bytes: UnsafeRawBufferPointer, _ header: BlockHeader, at offset: UInt64,
    payload: () throws(TraceFileError) -> UnsafeRawBufferPointer
  ) throws(TraceFileError) {
    end = offset + UInt64(header.wholeBytes)
    switch header.kind {
    case BlockKind.events: add(eventBlock: bytes, header, at: offset)
    case BlockKind.trailer: trailer = Trailer(bytes, header)
    case BlockKind.definitions, BlockKind.losses, BlockKind.anchors:
      do throws(TraceFileError) {
        add(facts: try payload(), header, at: offset)
      } catch {
        guard error.code == .damaged || error.code == .newerVersion else { throw error }
        report(error.message, at: offset, bytes: header.wholeBytes, mayHoldEvents: false)
      }
    // The header's copy and the index have been used already; other kinds are unknown.
    default: break
    }
  }

  /// Adds the trailer, which ends the file.
  mutating func finish(_ trailer: Trailer, at offset: UInt64) {
    self.trailer = trailer
    end = offset
  }

  /// Reports that bytes were skipped.
  mutating func report(
    _ reason: String, at offset: UInt64, bytes: Int, mayHoldEvents: Bool = true
  ) {
    var part = TraceDamage(offset: offset, bytes: UInt64(bytes), reason: reason)
    part.mayHoldEvents = mayHoldEvents
    damage.append(part)
  }

  private mutating func add(
    eventBlock bytes: UnsafeRawBufferPointer, _ header: BlockHeader, at offset: UInt64
  ) {
    guard var summary = EventBlockHeader.summary(bytes, header, offset: offset),
      summary.firstSequence > lastSequences[summary.ring] ?? 0
    else {
      report("the block's header contradicts itself", at: offset, bytes: header.wholeBytes)
      return
    }
    // Blocks of a thread mostly have the same streams as the one before and then share one array.
    if let last = lastStreams[summary.ring], last == summary.streams {
      summary.streams = last
    } else {
      lastStreams[summary.ring] = summary.streams
    }
    blocks.append(summary)
    events += UInt64(summary.count)
    lastSequences[summary.ring] = summary.firstSequence + UInt64(summary.count) - 1
  }

  private mutating func add(
    facts payload: UnsafeRawBufferPointer, _ header: BlockHeader, at offset: UInt64
  ) {
    switch header.kind {
    case BlockKind.definitions:
      let extent = DefinitionLog.read(payload) { if keepsFacts { definitions.insert($0) } }
      if extent.damaged > 0 || extent.isCut {
        report(
          "a definition contradicts itself", at: offset, bytes: header.wholeBytes,
          mayHoldEvents: false)
      }
    case _ where !keepsFacts: break
    case BlockKind.losses:
      for start in stride(from: 0, through: payload.count - LossEntry.Layout.end, by: 32) {
        let entry = UnsafeRawBufferPointer(rebasing: payload[start...])
        if let loss = LossEntry.read(entry) { losses.insert(loss) }
      }
    default:
      for start in stride(from: 0, through: payload.count - AnchorEntry.Layout.end, by: 16) {
        anchors.append(AnchorEntry.read(UnsafeRawBufferPointer(rebasing: payload[start...])))
      }
    }
  }
}

/// Losses, by their start. A run of losses that continues is reported several times: of the entries
/// of one ring with the same first tick, the one with the largest count is right.
struct LossTable {
  private struct Key: Hashable {
    var ring: UInt32
    var first: UInt64
    var reason: TraceLoss.Reason
  }
  private var runs: [Key: TraceLoss] = [:]

  mutating func insert(_ loss: TraceLoss) {
    let key = Key(ring: loss.ring, first: loss.ticks.lowerBound, reason: loss.reason)
    if let known = runs[key], known.count >= loss.count { return }
    runs[key] = loss
  }

  func adding(_ losses: [TraceLoss]) -> LossTable {
    var table = self
    for loss in losses { table.insert(loss) }
    return table
  }

  /// The losses, in no order.
  var all: some Sequence<TraceLoss> { runs.values }

  /// The losses, ordered by their start.
  var sorted: [TraceLoss] {
    all.sorted { one, other in
      (one.ticks.lowerBound, one.ring, one.reason.rawValue)
        < (other.ticks.lowerBound, other.ring, other.reason.rawValue)
    }
  }
}

extension TraceDefinitions {
  /// Returns these definitions and those that only a sidecar has. Threads that the file names keep
  /// their names.
  func adding(_ sidecar: SidecarSnapshot?) -> TraceDefinitions {
    guard let sidecar else { return self }
    var all = self
    for thread in sidecar.threads where all.threads[thread.ring] == nil {
      all.insert(.thread(thread))
    }
    sidecar.definitions.withUnsafeBytes { log in
      _ = DefinitionLog.read(log) { all.insert($0) }
    }
    return all
  }
}
