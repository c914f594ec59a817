/// A reader of records as they lie in a ring (`varve_ring.h`), for events that are not in a block
/// yet.
///
/// The records may come from a process that corrupted its own memory, so every length is checked
/// before it is used.
public enum RingRecords {
  /// The sound part of a run of records.
  public struct Extent: Sendable, Hashable {
    /// The number of whole, sound records.
    public var count = 0
    /// Their size in bytes.
    public var bytes = 0
    /// The reason why the run ends before its bytes do; nil if it does not.
    public var flaw: String?
  }

  /// Walks over records up to the first that is malformed: one whose length, far causes, text, or
  /// sequence number contradicts the rest.
  public static func check(_ records: UnsafeRawBufferPointer, firstSequence: UInt64) -> Extent {
    var extent = Extent()
    while extent.bytes < records.count {
      let sequence = UInt32(truncatingIfNeeded: firstSequence) &+ UInt32(extent.count)
      let rest = UnsafeRawBufferPointer(rebasing: records[extent.bytes...])
      guard let record = RingRecord(rest) else {
        extent.flaw = "a record's lengths contradict each other"
        return extent
      }
      guard record.sequence == sequence else {
        extent.flaw = "record \(record.sequence) lies where \(sequence) should"
        return extent
      }
      extent.count += 1
      extent.bytes += record.size
    }
    return extent
  }

  /// Fills columns from consecutive whole records.
  ///
  /// - Throws: A `TraceFileError` of code `damaged` where `check` would find a flaw; the columns
  ///   then hold the records before it.
  public static func decode(
    _ records: UnsafeRawBufferPointer, ring: UInt32, firstSequence: UInt64,
    into columns: inout EventColumns, columns wanted: ColumnSet
  ) throws(TraceFileError) {
    // A record's payload lies in one place.
    let wanted = wanted.contains(.words) ? wanted.union(.payloads) : wanted
    columns.ring = ring
    columns.firstSequence = firstSequence
    columns.removeAll(wanted)
    var offset = 0
    while offset < records.count {
      let sequence = UInt32(truncatingIfNeeded: firstSequence) &+ UInt32(columns.count)
      let rest = UnsafeRawBufferPointer(rebasing: records[offset...])
      guard let record = RingRecord(rest), record.sequence == sequence else {
        throw TraceFileError(
          .damaged, "record \(firstSequence &+ UInt64(columns.count)) of ring \(ring) is not sound")
      }
      columns.append(record, wanted)
      offset += record.size
    }
    if wanted.contains(.payloads) { columns.textStarts.append(UInt32(columns.heap.count)) }
  }
}

extension EventColumns {
  fileprivate mutating func removeAll(_ wanted: ColumnSet) {
    count = 0
    if wanted.contains(.ticks) { ticks.removeAll(keepingCapacity: true) }
    if wanted.contains(.kinds) { kinds.removeAll(keepingCapacity: true) }
    if wanted.contains(.streams) { streams.removeAll(keepingCapacity: true) }
    if wanted.contains(.subscriptions) { subscriptions.removeAll(keepingCapacity: true) }
    if wanted.contains(.causes) {
      backs.removeAll(keepingCapacity: true)
      farCauses.removeAll(keepingCapacity: true)
    }
    if wanted.contains(.payloads) {
      payloadKinds.removeAll(keepingCapacity: true)
      words.removeAll(keepingCapacity: true)
      textStarts.removeAll(keepingCapacity: true)
      heap.removeAll(keepingCapacity: true)
    }
  }

  fileprivate mutating func append(_ record: RingRecord, _ wanted: ColumnSet) {
    if wanted.contains(.ticks) { ticks.append(record.ticks) }
    if wanted.contains(.kinds) { kinds.append(record.kind) }
    if wanted.contains(.streams) { streams.append(record.stream) }
    if wanted.contains(.subscriptions) { subscriptions.append(record.subscription) }
    if wanted.contains(.causes) {
      backs.append(record.back)
      for place in 0..<record.farCauses {
        farCauses.append(
          (count, EventName(word: record.farCause(place), inRecordingOf: ring)))
      }
    }
    if wanted.contains(.payloads) {
      payloadKinds.append(record.payload)
      words.append(record.word)
      textStarts.append(UInt32(heap.count))
      heap.append(contentsOf: record.text)
    }
    count += 1
  }
}
