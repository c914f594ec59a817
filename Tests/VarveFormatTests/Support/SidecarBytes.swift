import CVarveSystem
import VarveFormat

/// A sidecar as a recorder leaves it, put together from the structures of `varve_sidecar.h`.
struct SidecarBytes {
  /// Who has the sidecar's process id.
  enum Process {
    /// This process, which runs.
    case running
    /// Nobody.
    case gone
    /// A process of another machine, the same each time.
    case elsewhere
  }

  /// Where the first region begins: not where a recorder puts it, since readers go by the header.
  private static let headerBytes = 32 << 10

  private var header = vv_sidecar()
  private var regions: [UInt8] = []
  private let trace: TraceID
  /// Bytes that a ring or a log holds.
  private let capacity: Int

  init(
    trace: TraceID = TraceHeader.sample().id, process: Process = .gone, capacity: Int = 64 << 10
  ) {
    self.trace = trace
    self.capacity = capacity
    var own = vv_process()
    if process == .elsewhere {
      (own.id, own.start) = (4711, 815)
      own.boot.0 = 0xb0
    } else {
      vv_process_self(&own)
    }
    header.magic = UInt64(VV_SIDECAR_MAGIC)
    header.version = UInt32(VV_SIDECAR_VERSION)
    header.header_bytes = UInt32(Self.headerBytes)
    header.trace_low = trace.low
    header.trace_high = trace.high
    header.process_id = own.id
    header.process_start = process == .gone ? own.start &- 1 : own.start
    header.boot_id = own.boot
    header.ringless_offset = UInt32(VV_SIDECAR_RINGLESS_OFFSET)
  }

  /// Notes when the recorder last looked after the recording.
  mutating func seen(at ticks: UInt64) { header.seen_ticks = ticks }

  /// Leaves word of a signal, as the program's own handler does.
  ///
  /// - Parameter number: how many marks the process has survived before.
  mutating func crash(
    signal: Int32, ring: UInt32, programCounter: UInt64, callers: [UInt64] = [],
    claiming count: UInt32? = nil, number: UInt64 = 0
  ) {
    withUnsafeMutableBytes(of: &header.stack.frames) { bytes in
      for (index, caller) in callers.enumerated() {
        bytes.storeBytes(of: caller, toByteOffset: index * 8, as: UInt64.self)
      }
    }
    header.stack.count = count ?? UInt32(callers.count)
    header.crash.signal = signal
    header.crash.ring_id = ring
    header.crash.program_counter = programCounter
    header.crash.state = number << 8 | 2
  }

  /// Adds a ring that holds records, and has held `passed` bytes before them.
  ///
  /// - Parameters:
  ///   - drained: the number of the last record that the file is to have; nil for the one before.
  ///   - gap: what the ring says of records that were overwritten, and the number of the last.
  mutating func add(
    _ records: RecordBytes, ring: UInt32, name: String = "", passed: UInt64 = 0,
    drained: UInt64? = nil, gap: (until: UInt64, loss: TraceLoss)? = nil
  ) {
    add(
      kind: vv_region_ring, records.bytes, ring: ring, name: name, passed: passed,
      drained: drained ?? records.firstSequence - 1, gap: gap)
  }

  /// Adds a log of definitions.
  mutating func add(_ definitions: [TraceDefinition]) {
    var log: [UInt8] = []
    for definition in definitions { DefinitionCodec.append(definition, to: &log) }
    add(kind: vv_region_definitions, log, ring: 0, name: "", passed: 0, drained: 0)
  }

  private mutating func add(
    kind: vv_region_kind, _ content: [UInt8], ring id: UInt32, name: String, passed: UInt64,
    drained: UInt64, gap: (until: UInt64, loss: TraceLoss)? = nil
  ) {
    var ring = vv_ring()
    ring.region.magic = UInt64(VV_REGION_MAGIC)
    ring.region.trace_low = trace.low
    ring.region.trace_high = trace.high
    ring.region.bytes = UInt64(Int(VV_RING_HEADER_BYTES) + capacity)
    ring.region.kind = kind.rawValue
    ring.capacity = UInt64(capacity)
    ring.ring_id = id
    ring.thread_id = UInt64(id) + 100
    ring.state = UInt64(vv_ring_live.rawValue)
    ring.tail = passed
    ring.head = passed + UInt64(content.count)
    ring.drained = drained
    if let gap {
      ring.gap_until = gap.until
      ring.gap_count = gap.loss.count
      ring.gap_first = gap.loss.ticks.lowerBound
      ring.gap_last = gap.loss.ticks.upperBound
    }
    withUnsafeMutableBytes(of: &ring.thread_name) { $0.copyBytes(from: name.utf8.prefix(63)) }
    var data = [UInt8](repeating: 0, count: capacity)
    for (index, byte) in content.enumerated() { data[(Int(passed) + index) % capacity] = byte }
    let head = withUnsafeBytes(of: ring) { Array($0) }
    regions += head + [UInt8](repeating: 0, count: Int(VV_RING_HEADER_BYTES) - head.count) + data
  }

  /// The file's bytes.
  var bytes: [UInt8] {
    var header = header
    header.extent = UInt64(Self.headerBytes + regions.count)
    let head = withUnsafeBytes(of: header) { Array($0) }
    return head + [UInt8](repeating: 0, count: Self.headerBytes - head.count) + regions
  }
}
