internal import CVarveSystem
internal import VarveProbe

/// Turns a run of ring records into one event block, header and all.
///
/// One walk over the records fills arrays of numbers, of which most are 0 or small; then each array
/// goes to the plane encoder. All memory is kept from block to block.
final class EventEncoder {
  /// What was encoded.
  struct Block {
    /// The records in it.
    var extent: RingRecords.Extent
    /// Bytes of its header, at the beginning of `out`.
    var headerBytes: Int
  }

  /// The block: header and payload.
  let out = BlockBuffer(capacity: 64 << 10)

  let planes: PlaneEncoder
  let shapeTable = ShapeTable()
  let texts = BlockTextTable()
  let samples = WordSamples()
  let shapes: UnsafeMutablePointer<UInt32>
  let ticks: UnsafeMutablePointer<UInt64>
  /// Differences of words; of `wordCount` events.
  let words: UnsafeMutablePointer<UInt64>
  var wordCount = 0
  let subscriptions = SparseNumbers<UInt64>(capacity: TraceLimits.eventsWritten)
  let backs = SparseNumbers<UInt32>(capacity: TraceLimits.eventsWritten)
  let farCauses = NumberList<UInt64>()
  let lastFarCauses = NumberList<UInt64>()
  let shapeValues = Scratch<UInt64>()

  init(deflater: Deflater) {
    planes = PlaneEncoder(deflater: deflater)
    shapes = .allocate(capacity: TraceLimits.eventsWritten)
    ticks = .allocate(capacity: TraceLimits.eventsWritten)
    words = .allocate(capacity: TraceLimits.eventsWritten)
  }

  deinit {
    shapes.deallocate()
    ticks.deallocate()
    words.deallocate()
  }

  /// Encodes the records that begin in the first `enough` bytes, as many as fit into a block. It
  /// ends before a record that is not sound.
  func encode(
    _ records: UnsafeRawBufferPointer, enough: Int, ring: UInt32, firstSequence: UInt64
  ) -> Block {
    removeAll()
    var walk = walk(records, enough: enough, firstSequence: firstSequence)
    let isFlawed = walk.isFlawed
    if isFlawed {
      // Nothing that was noted of the flawed record may stay.
      removeAll()
      walk = self.walk(records, enough: walk.bytes, firstSequence: firstSequence)
    }
    let extent = RingRecords.Extent(
      count: walk.count, bytes: walk.bytes, flaw: isFlawed ? "a record is not sound" : nil)
    guard walk.count > 0 else { return Block(extent: extent, headerBytes: 0) }
    let (first, last) = tickRange(walk)
    let summary = BlockSummary(
      offset: nil, storedBytes: 0, ring: ring, count: walk.count, firstSequence: firstSequence,
      ticks: first...last, streams: streams(), kinds: kinds())
    let headerBytes = EventBlockHeader.bytes(for: summary.streams)
    out.removeAll()
    out.appendZeros(headerBytes)
    write(walk, of: ring, startTick: walk.startTick &- first)
    EventBlockHeader.fill(out.part(0..<headerBytes), with: summary)
    return Block(extent: extent, headerBytes: headerBytes)
  }

  private func removeAll() {
    shapeTable.removeAll()
    texts.removeAll()
    subscriptions.removeAll()
    backs.removeAll()
    wordCount = 0
    farCauses.removeAll()
    lastFarCauses.removeAll()
  }

  /// The earliest and the latest tick: the first and the last, unless a clock went backwards.
  private func tickRange(_ walk: RecordWalk) -> (first: UInt64, last: UInt64) {
    var tick = walk.startTick
    guard walk.ticksWentBack else {
      for index in 1..<walk.count { tick &+= ticks[index] }
      return (walk.startTick, tick)
    }
    var (first, last) = (tick, tick)
    for index in 1..<walk.count {
      tick &+= ticks[index]
      first = min(first, tick)
      last = max(last, tick)
    }
    return (first, last)
  }

  private func streams() -> StreamSet {
    var streams = StreamSet()
    for number in 0..<shapeTable.count {
      let shape = shapeTable.shapes[number]
      if !RecordKind.isHop(shape.kind) { streams.insert(shape.stream) }
    }
    return streams
  }

  private func kinds() -> KindSet {
    var kinds = KindSet()
    for number in 0..<shapeTable.count { kinds.insert(shapeTable.shapes[number].kind) }
    return kinds
  }
}

/// Sums over the records that a walk has passed.
struct RecordWalk {
  /// Sound records.
  var count = 0
  /// Their bytes.
  var bytes = 0
  /// The tick of the first.
  var startTick: UInt64 = 0
  /// Whether a tick lies before the one ahead of it.
  var ticksWentBack = false
  /// Whether the next record contradicts itself or the ones before it.
  var isFlawed = false
}

/// Numbers of which nearly all are 0: writing and forgetting zeros costs nothing.
final class SparseNumbers<Number: FixedWidthInteger> {
  let base: UnsafeMutablePointer<Number>
  private let capacity: Int
  private(set) var isZero = true

  init(capacity: Int) {
    self.capacity = capacity
    base = .allocate(capacity: capacity)
    base.initialize(repeating: 0, count: capacity)
  }

  deinit { base.deallocate() }

  @inline(__always)
  func set(_ number: Number, at index: Int) {
    base[index] = number
    isZero = false
  }

  func removeAll() {
    if !isZero { base.update(repeating: 0, count: capacity) }
    isZero = true
  }
}
