internal import Synchronization

extension TraceReader {
  /// Decodes the columns asked for of block `index`; the other columns are left as they are.
  /// `columns.count`, `ring` and `firstSequence` are always set.
  ///
  /// Only the columns asked for are unpacked. Asking for more of the same block next costs no
  /// second reading.
  ///
  /// - Throws: a `TraceFileError` with the block's number: `damaged` when the block contradicts its
  ///   checksum or itself, `newerVersion` when it is packed in a way that is not known here.
  public func decode(
    _ index: Int, into columns: inout EventColumns, columns wanted: ColumnSet
  ) throws(TraceFileError) {
    let summary = blocks[index]
    columns.count = summary.count
    columns.ring = summary.ring
    columns.firstSequence = summary.firstSequence
    guard let offset = summary.offset else {
      let part = index - contents.blocks.count
      return try leftovers.decode(part, into: &columns, columns: wanted)
    }
    let decoder = takeDecoder(for: offset)
    defer { giveBack(decoder) }
    do throws(TraceFileError) {
      if decoder.offset != offset {
        inflated.wrappingAdd(1, ordering: .relaxed)
        try decoder.read(summary, at: offset)
      }
      try decoder.decode(wanted, into: &columns)
    } catch {
      var error = error
      error.block = index
      throw error
    }
  }

  /// How many blocks of the file have been read and unpacked, wholly or in part, since the trace was
  /// opened.
  public var inflatedBlocks: Int { inflated.load(ordering: .relaxed) }

  /// Reads the whole file, checks every checksum and decodes every event; returns all damage, what
  /// was known at opening included, by its place. `TraceVerification` tells more.
  ///
  /// - Throws: a `TraceFileError` of code `unreadable` when the system refuses.
  public func verify() throws(TraceFileError) -> [TraceDamage] {
    try TraceVerification(self).damage
  }

  private func takeDecoder(for offset: UInt64) -> BlockDecoder {
    let taken = decoders.withLock { $0.take(for: offset) }
    return taken ?? BlockDecoder(file, seed: header.id.seed)
  }

  private func giveBack(_ decoder: BlockDecoder) {
    decoders.withLock { $0.free.append(decoder) }
  }
}

/// Decoders that nobody uses at the moment: as many as threads have decoded at once.
struct DecoderPool: @unchecked Sendable {
  // Safety: the pool is reached under its reader's lock, and a decoder leaves it while a thread
  // uses it.
  var free: [BlockDecoder] = []

  /// Takes the decoder that has the block at `offset` at hand, or else any.
  mutating func take(for offset: UInt64) -> BlockDecoder? {
    if let index = free.firstIndex(where: { $0.offset == offset }) { return free.remove(at: index) }
    return free.popLast()
  }
}
