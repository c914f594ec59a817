extension TraceReader {
  /// Reads every block of events in the file and compares it with its checksum, without unpacking
  /// any. Returns all damage that this found or that was found on opening, in the order of the file.
  ///
  /// It takes a small part of the time of `verify()`, which also looks at what the blocks contain.
  ///
  /// - Throws: A `TraceFileError` of code `unreadable` if the system refuses.
  public func checkBlocks(progress: RewriteProgress = { _, _ in }) throws(TraceFileError)
    -> [TraceDamage]
  {
    let source = BlockSource(file, seed: header.id.seed)
    var found = damage
    let known = Set(damage.map(\.offset))
    for block in blocks {
      guard let offset = block.offset, !known.contains(offset) else { continue }
      progress(offset, bytes)
      do throws(TraceFileError) {
        _ = try source.block(at: offset, bytes: Int(block.storedBytes))
      } catch {
        found.append(try TraceDamage(of: block, error))
      }
    }
    return found.sorted { ($0.offset, $0.bytes) < ($1.offset, $1.bytes) }
  }

  /// The stretches of ticks in which events may be missing because bytes of the file are not a
  /// block, or are one that contradicts itself.
  ///
  /// Nothing says of which time such bytes were. Blocks lie in the file about in the order of time,
  /// so it is taken to be the time between the blocks before and after them.
  public var damagedTicks: [ClosedRange<UInt64>] {
    let tail = ending == .running ? nil : contents.tail
    let stored = contents.blocks
    return (contents.damage + [tail].compactMap(\.self)).filter(\.mayHoldEvents).map { damage in
      let next = stored.partitionPoint { ($0.offset ?? .max) >= damage.offset }
      let before = next > 0 ? stored[next - 1].ticks.upperBound : 0
      let after = next < stored.count ? stored[next].ticks.lowerBound : .max
      return min(before, after)...max(before, after)
    }
  }
}
