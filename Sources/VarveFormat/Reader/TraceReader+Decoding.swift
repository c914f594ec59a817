internal import Synchronization

extension TraceReader {
  /// Decodes some columns of block `index`; other columns are left unchanged. `columns.count`,
  /// `ring`, and `firstSequence` are always set.
  ///
  /// Only the wanted columns are unpacked. Asking for more of the same block next does not read it
  /// again.
  ///
  /// - Throws: A `TraceFileError` with the block's index: `damaged` if the block contradicts its
  ///   checksum or itself, `newerVersion` if its packing is unknown to this version, `unreadable` if
  ///   nobody wants it any more.
  public func decode(
    _ index: Int, into columns: inout EventColumns, columns wanted: ColumnSet
  ) throws(TraceFileError) {
    guard isWanted?(index, wanted) ?? true else {
      throw TraceFileError(.unreadable, "it was cancelled")
    }
    let summary = blocks[index]
    columns.count = summary.count
    columns.ring = summary.ring
    columns.firstSequence = summary.firstSequence
    guard let offset = summary.offset else {
      let part = index - (blocks.count - leftovers.blocks.count)
      return try leftovers.decode(part, into: &columns, columns: wanted)
    }
    let decoder = takeDecoder(for: offset)
    defer { giveBack(decoder) }
    do throws(TraceFileError) {
      if decoder.offset != offset {
        inflated.wrappingAdd(1, ordering: .relaxed)
        tellWatcher(index)
        try decoder.read(summary, at: offset)
      }
      try decoder.decode(wanted, into: &columns)
    } catch {
      var error = error
      error.block = index
      throw error
    }
  }

  /// The number of blocks of the file that have been read and unpacked, wholly or in part, since
  /// the trace was opened.
  public var inflatedBlocks: Int { inflated.load(ordering: .relaxed) }

  /// Reads the whole file, checks every checksum, and decodes every event; returns all damage,
  /// including that found on opening, in the order of the file. `TraceVerification` has more
  /// details.
  ///
  /// - Throws: A `TraceFileError` of code `unreadable` if the system refuses.
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

/// Decoders that are not in use: as many as the threads that have decoded at once.
struct DecoderPool: @unchecked Sendable {
  // Safety: the pool is accessed under its reader's lock, and a decoder is not in it while a thread
  // uses it.
  var free: [BlockDecoder] = []

  /// Takes the decoder whose current block is at `offset`, or otherwise the one that was given back longest
  /// ago: what has just decoded a part of a block may be asked for another part of it.
  mutating func take(for offset: UInt64) -> BlockDecoder? {
    if let index = free.firstIndex(where: { $0.offset == offset }) { return free.remove(at: index) }
    return free.isEmpty ? nil : free.removeFirst()
  }
}
