internal import VarveFormat

/// From which events on a thread ran the work of which scheduler.
///
/// A program on queues changes its scheduler every few events, so a change is kept in about three
/// bytes: the numbers of events rise, and the difference to the last one is small.
struct SchedulerChanges {
  /// Where reading can begin: the change at `offset`, and what precedes it.
  private struct Entry {
    /// The first event of the change at `offset`.
    var sequence: UInt64
    var offset: Int
  }

  /// Varints: how many events after the last change, and the scheduler.
  private var bytes: [UInt8] = []
  private var entries: [Entry] = []
  private var count = 0
  private var last: UInt64 = 0

  /// As many changes are read by a search, at most.
  private static let changesOfEntry = 16

  /// Adds a change; the numbers of events rise.
  ///
  /// - Returns: the memory that it took, in bytes, in arrays whose capacity is up to twice their count.
  mutating func append(sequence: UInt64, scheduler: UInt32) -> Int {
    let before = bytes.count
    if count % Self.changesOfEntry == 0 {
      entries.append(Entry(sequence: sequence, offset: before))
    }
    bytes.append(varint: sequence &- last)
    bytes.append(varint: UInt64(scheduler))
    last = sequence
    count += 1
    return 2 * (bytes.count - before + MemoryLayout<Entry>.stride / Self.changesOfEntry)
  }

  /// Returns the scheduler whose work the thread was running when it wrote an event; 0 for none.
  func scheduler(at sequence: UInt64) -> UInt32 {
    var lower = 0
    var upper = entries.count
    while lower < upper {
      let middle = (lower + upper) / 2
      if entries[middle].sequence <= sequence { lower = middle + 1 } else { upper = middle }
    }
    guard lower > 0 else { return 0 }
    let entry = entries[lower - 1]
    return bytes.withUnsafeBufferPointer { bytes in
      var offset = entry.offset
      _ = Self.number(in: bytes, &offset)
      var scheduler = Self.number(in: bytes, &offset)
      var reached = entry.sequence
      while offset < bytes.count {
        reached &+= Self.number(in: bytes, &offset)
        guard reached <= sequence else { break }
        scheduler = Self.number(in: bytes, &offset)
      }
      return UInt32(truncatingIfNeeded: scheduler)
    }
  }

  private static func number(
    in bytes: UnsafeBufferPointer<UInt8>, _ offset: inout Int
  ) -> UInt64 {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = bytes[offset]
      offset += 1
      number |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return number }
      shift += 7
    }
  }
}
