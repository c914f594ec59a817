/// Which of several traces a ring is first met in.
///
/// A recording that goes on in another file goes on with its rings: what one part tells of a thread
/// is a cause in the next. But copies of the same events, as in a snapshot of a recording, are
/// threads of their own.
struct RingOwners {
  private struct Key: Hashable {
    var ring: UInt32
    var trace: Int
  }

  /// By ring and trace, the trace whose ring it continues; only where the trace has records of it.
  private var continued: [Key: Int] = [:]
  /// By ring and process, the trace that had it first.
  private var first: [Key: Int] = [:]
  private let processes: [Int]

  /// - Parameter processes: by trace, the number of its process.
  init(_ readers: [TraceReader], _ processes: [Int]) {
    self.processes = processes
    var taken: [Key: [ClosedRange<UInt64>]] = [:]
    for (trace, reader) in readers.enumerated() {
      for (ring, sequences) in Self.sequences(in: reader) {
        let known = Key(ring: ring, trace: processes[trace])
        let owner = first[known, default: trace]
        let isNew = taken[known, default: []].allSatisfy { !$0.overlaps(sequences) }
        first[known] = owner
        if isNew { taken[known, default: []].append(sequences) }
        continued[Key(ring: ring, trace: trace)] = isNew ? owner : trace
      }
    }
  }

  /// The trace that a ring of a trace goes by.
  func owner(of ring: UInt32, in trace: Int) -> Int {
    continued[Key(ring: ring, trace: trace)] ?? first[Key(ring: ring, trace: processes[trace])]
      ?? trace
  }

  /// From the first record of each ring to the last.
  private static func sequences(in reader: TraceReader) -> [UInt32: ClosedRange<UInt64>] {
    reader.blocks.reduce(into: [:]) { found, block in
      let last = block.firstSequence + UInt64(max(block.count, 1)) - 1
      guard let known = found[block.ring] else {
        found[block.ring] = block.firstSequence...max(last, block.firstSequence)
        return
      }
      found[block.ring] =
        min(known.lowerBound, block.firstSequence)...max(known.upperBound, last)
    }
  }
}
