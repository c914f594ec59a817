internal import CVarveSystem

/// The consecutive regions of a sidecar.
struct SidecarRegions {
  private let file: SidecarFile
  private let trace: TraceID
  /// The offsets of the rings.
  private(set) var rings: [UInt64] = []
  /// The offsets of the logs of definitions.
  private(set) var logs: [UInt64] = []
  private(set) var damage: [TraceDamage] = []

  init(file: SidecarFile, header: vv_sidecar) {
    self.file = file
    trace = header.trace
    let end = min(header.extent, file.bytes)
    var offset = UInt64(header.header_bytes)
    while offset < end {
      guard let region = file.load(vv_region.self, at: offset), isSound(region, at: offset, end)
      else {
        report("no region of this trace begins here", at: offset, bytes: end - offset)
        return
      }
      switch region.kind {
      case vv_region_ring.rawValue: rings.append(offset)
      case vv_region_definitions.rawValue: logs.append(offset)
      default: break
      }
      offset += region.bytes
    }
  }

  private func isSound(_ region: vv_region, at offset: UInt64, _ end: UInt64) -> Bool {
    region.magic == VV_REGION_MAGIC
      && TraceID(low: region.trace_low, high: region.trace_high) == trace
      && region.bytes >= UInt64(VV_RING_HEADER_BYTES) && region.bytes % 4096 == 0
      && region.bytes <= end - offset
  }

  private mutating func report(_ reason: String, at offset: UInt64, bytes: UInt64) {
    damage.append(TraceDamage(offset: offset, bytes: bytes, reason: "sidecar: \(reason)"))
  }

  /// Reads a ring's records; returns nil if the ring has no thread and is empty.
  mutating func readRing(at offset: UInt64) -> SidecarRing? {
    guard let content = readContent(at: offset) else { return nil }
    let ring = content.ring
    guard ring.state != UInt64(vv_ring_free.rawValue) || !content.bytes.isEmpty else { return nil }
    let first = content.firstSequence
    let extent = content.bytes.withUnsafeBytes {
      RingRecords.check($0, firstSequence: first)
    }
    if let flaw = extent.flaw {
      let at = offset + UInt64(VV_RING_HEADER_BYTES)
      report(flaw, at: at, bytes: UInt64(content.bytes.count - extent.bytes))
    }
    return SidecarRing(
      thread: ring.thread, firstSequence: first, count: extent.count,
      records: Array(content.bytes.prefix(extent.bytes)), losses: ring.untold,
      told: max(ring.drained, ring.gap_until))
  }

  /// Reads a log of definitions, as far as possible.
  mutating func readLog(at offset: UInt64) -> [UInt8] {
    guard let bytes = readContent(at: offset)?.bytes else { return [] }
    let (sound, extent) = DefinitionLog.sound(bytes)
    if extent.damaged > 0 {
      report("definitions contradict themselves (\(extent.damaged))", at: offset, bytes: 0)
    }
    if extent.isCut {
      report(
        "what lies behind \(extent.bytes) bytes of definitions is none", at: offset,
        bytes: UInt64(bytes.count - extent.bytes))
    }
    return sound
  }

  /// Reads the bytes between the tail and the head of a ring or a log.
  ///
  /// The writer and the drain thread may advance between two reads: bytes that the tail has passed
  /// meanwhile may have been overwritten, and are in the file or given up. If the ring has passed
  /// to another thread, all that was read is in the file.
  private mutating func readContent(at offset: UInt64) -> SidecarContent? {
    var isHasty = false
    for _ in 0..<4 {
      guard let before = file.load(vv_ring.self, at: offset), before.isSound else { break }
      guard let used = before.used else { continue }
      let bytes = readData(of: before, at: offset, from: before.tail, count: used)
      guard bytes.count == used, let after = file.load(vv_ring.self, at: offset) else { break }
      guard after.ring_id == before.ring_id, after.capacity == before.capacity else { continue }
      let passed = after.tail &- before.tail
      isHasty = passed > UInt64(used)
      guard !isHasty else { continue }
      return SidecarContent(ring: after, bytes: Array(bytes.dropFirst(Int(passed))))
    }
    // A writer that overwrites may be faster than the reader.
    if !isHasty { report("the header of a ring contradicts itself", at: offset, bytes: 0) }
    return nil
  }

  /// Reads bytes of a ring's data, in two pieces if they wrap around its end.
  private func readData(of ring: vv_ring, at offset: UInt64, from position: UInt64, count: Int)
    -> [UInt8]
  {
    let start = position & (ring.capacity - 1)
    let data = offset + UInt64(VV_RING_HEADER_BYTES)
    let whole = Int(min(UInt64(count), ring.capacity - start))
    var bytes = file.read(at: data + start, count: whole)
    if whole < count && bytes.count == whole {
      bytes += file.read(at: data, count: count - whole)
    }
    return bytes
  }
}

/// The contents read from a ring.
private struct SidecarContent {
  let ring: vv_ring
  let bytes: [UInt8]

  /// The number of the first record. The record itself contains the lower half; the rest follows
  /// from the number that the drain thread has noted, which is before it or only just after.
  var firstSequence: UInt64 {
    let near = ring.drained &+ 1
    guard bytes.count >= Int(VV_RECORD_HEAD_BYTES) else { return near }
    return bytes.withUnsafeBufferPointer { vv_record_sequence($0.baseAddress, near) }
  }
}

extension vv_ring {
  /// Whether the header's numbers can be used.
  fileprivate var isSound: Bool {
    capacity >= 4096 && capacity <= UInt64(VV_RING_LARGEST) && capacity & (capacity &- 1) == 0
      && capacity == region.bytes &- UInt64(VV_RING_HEADER_BYTES)
  }

  /// The number of bytes between tail and head; nil if the two were not read at the same moment.
  fileprivate var used: Int? {
    let used = head &- tail
    return used <= capacity ? Int(used) : nil
  }

  var thread: ThreadDefinition {
    let name = withUnsafeBytes(of: thread_name) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    return ThreadDefinition(ring: ring_id, systemID: thread_id, name: name)
  }

  /// Runs of losses that the file may not report.
  fileprivate var untold: [TraceLoss] {
    withUnsafeBytes(of: losses) { bytes in
      bytes.bindMemory(to: vv_loss.self).compactMap { TraceLoss($0, ring: ring_id) }
    } + [TraceLoss(overwritten: self)].compactMap(\.self)
  }
}
