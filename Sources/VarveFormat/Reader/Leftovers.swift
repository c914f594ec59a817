internal import VarveProbe

/// The events that are in a sidecar's rings and in no block of the file, divided into blocks like
/// those of the file.
struct Leftovers: Sendable {
  /// The position of a block's records.
  struct Part: Sendable {
    /// The index of the ring in the snapshot.
    var ring: Int
    var bytes: Range<Int>
  }

  private let rings: [SidecarRing]
  private(set) var parts: [Part] = []
  private(set) var blocks: [BlockSummary] = []

  /// Takes the records that the file does not contain from the rings. The rings were read before
  /// the file, so a record may be in both; `lastSequences` holds the last record of each ring in a
  /// block.
  init(_ rings: [SidecarRing], lastSequences: [UInt32: UInt64]) {
    self.rings = rings.sorted { $0.thread.ring < $1.thread.ring }
    for index in self.rings.indices {
      let known = lastSequences[self.rings[index].thread.ring] ?? 0
      divide(index, after: known)
    }
  }

  /// Fills columns from a block's records.
  func decode(_ index: Int, into columns: inout EventColumns, columns wanted: ColumnSet)
    throws(TraceFileError)
  {
    try withRecords(index) { records throws(TraceFileError) in
      try RingRecords.decode(
        records, ring: blocks[index].ring, firstSequence: blocks[index].firstSequence,
        into: &columns, columns: wanted)
    }
  }

  /// Calls `body` with a block's records, as stored in the ring.
  func withRecords<Result>(
    _ index: Int, _ body: (UnsafeRawBufferPointer) throws(TraceFileError) -> Result
  ) throws(TraceFileError) -> Result {
    let part = parts[index]
    return try rings[part.ring].withRecords { records throws(TraceFileError) in
      try body(UnsafeRawBufferPointer(rebasing: records[part.bytes]))
    }
  }

  private mutating func divide(_ index: Int, after known: UInt64) {
    let ring = rings[index]
    guard EventBlockHeader.sequences.contains(ring.firstSequence) else { return }
    var found: [(part: Part, block: BlockSummary)] = []
    ring.withRecords { records in
      var sequence = ring.firstSequence
      var offset = 0
      while offset < records.count {
        let rest = UnsafeRawBufferPointer(rebasing: records[offset...])
        guard let record = RingRecord(rest) else { return }
        if sequence > known {
          if found.last.map({ $0.block.count >= TraceLimits.eventsWritten }) ?? true {
            found.append(
              (
                Part(ring: index, bytes: offset..<offset),
                BlockSummary(ring: ring.thread.ring, sequence: sequence, record)
              ))
          }
          found[found.count - 1].block.add(record)
          found[found.count - 1].part.bytes =
            found[found.count - 1].part.bytes.lowerBound..<offset + record.size
        }
        sequence += 1
        offset += record.size
      }
    }
    parts += found.map(\.part)
    blocks += found.map(\.block)
  }
}

extension BlockSummary {
  /// Creates a summary without events; `first` is the record that will be added first.
  fileprivate init(ring: UInt32, sequence: UInt64, _ first: RingRecord) {
    self.init(
      offset: nil, storedBytes: 0, ring: ring, count: 0, firstSequence: sequence,
      ticks: first.ticks...first.ticks, streams: StreamSet(), kinds: KindSet())
  }

  fileprivate mutating func add(_ record: RingRecord) {
    count += 1
    storedBytes += UInt64(record.size)
    ticks = min(ticks.lowerBound, record.ticks)...max(ticks.upperBound, record.ticks)
    kinds.insert(record.kind)
    if !RecordKind.isHop(record.kind) { streams.insert(record.stream) }
  }
}
