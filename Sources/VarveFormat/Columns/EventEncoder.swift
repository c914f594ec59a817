internal import CVarveSystem
internal import VarveProbe

/// Turns a run of ring records into one event block, header and all.
///
/// One walk over the records fills arrays of numbers, of which most are 0 or small; then each array
/// goes to the plane encoder. All memory is kept from block to block.
final class EventEncoder {
  /// What was encoded.
  struct Block {
    var summary: BlockSummary
    /// Bytes of the ring records in it.
    var rawBytes: Int
    /// Bytes of its header, at the beginning of `out`.
    var headerBytes: Int
  }

  /// The block: header and payload.
  let out = BlockBuffer(capacity: 64 << 10)

  private let planes = PlaneEncoder(deflater: Deflater())
  private let shapeTable = ShapeTable()
  private let texts = TextTable()
  private let ticks: UnsafeMutablePointer<UInt64>
  private let subscriptions: UnsafeMutablePointer<UInt64>
  private let words: UnsafeMutablePointer<UInt64>
  private let shapes: UnsafeMutablePointer<UInt32>
  private let backs: UnsafeMutablePointer<UInt32>
  /// The shape of each event that has a word.
  private let wordShapes: UnsafeMutablePointer<UInt32>
  private var textNumbers: [UInt32] = []
  private var textCuts: [UInt32] = []
  private var farCauses: [UInt64] = []
  private var lastFarCauses: [UInt64] = []

  init() {
    let most = TraceLimits.eventsWritten
    ticks = .allocate(capacity: most)
    subscriptions = .allocate(capacity: most)
    words = .allocate(capacity: most)
    shapes = .allocate(capacity: most)
    backs = .allocate(capacity: most)
    wordShapes = .allocate(capacity: most)
  }

  deinit {
    ticks.deallocate()
    subscriptions.deallocate()
    words.deallocate()
    shapes.deallocate()
    backs.deallocate()
    wordShapes.deallocate()
  }

  /// Sums over the records of a walk.
  private struct Walk {
    var count = 0
    var bytes = 0
    var wordCount = 0
    var firstTick: UInt64 = 0
    var lastTick: UInt64 = 0
    var tickMask: UInt64 = 0
    var subscriptionMask: UInt64 = 0
    var backMask: UInt32 = 0
    var textMask: UInt32 = 0
    var cutMask: UInt32 = 0
    var farMask: UInt64 = 0
  }

  /// Encodes records from the first on, as many as fit into a block.
  func encode(
    _ records: UnsafeRawBufferPointer, ring: UInt32, firstSequence: UInt64, firstEvent: UInt64
  ) throws(TraceFileError) -> Block {
    shapeTable.removeAll()
    texts.removeAll()
    textNumbers.removeAll(keepingCapacity: true)
    textCuts.removeAll(keepingCapacity: true)
    farCauses.removeAll(keepingCapacity: true)
    lastFarCauses.removeAll(keepingCapacity: true)
    let walk = try walk(records, firstSequence: firstSequence)
    let summary = BlockSummary(
      offset: nil, storedBytes: 0, ring: ring, count: walk.count, firstSequence: firstSequence,
      firstEvent: firstEvent, ticks: walk.firstTick...walk.lastTick, streams: streams(),
      kinds: kinds())
    let headerBytes = EventBlockHeader.bytes(for: summary.streams)
    out.removeAll()
    out.appendZeros(headerBytes)
    write(walk)
    EventBlockHeader.fill(out.part(0..<headerBytes), with: summary)
    return Block(summary: summary, rawBytes: walk.bytes, headerBytes: headerBytes)
  }

  // MARK: - The walk

  private func walk(_ records: UnsafeRawBufferPointer, firstSequence: UInt64)
    throws(TraceFileError) -> Walk
  {
    var walk = Walk()
    guard let base = records.baseAddress, records.count >= Int(VV_RECORD_HEAD_BYTES) else {
      throw flaw(at: walk, firstSequence)
    }
    walk.firstTick = base.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    walk.lastTick = walk.firstTick
    let end = min(records.count, TraceLimits.recordBytesWritten)
    var sequence = UInt32(truncatingIfNeeded: firstSequence)
    var previous = walk.firstTick
    var count = 0
    var at = 0
    while at < end, count < TraceLimits.eventsWritten {
      guard records.count - at >= Int(VV_RECORD_HEAD_BYTES) else {
        throw flaw(at: walk, firstSequence)
      }
      let record = base + at
      let first = record.loadUnaligned(as: UInt64.self)
      let number = shapeTable.number(of: first >> 8)
      let shape = shapeTable.shapes + number
      let third = record.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
      let size = Int(first & 0xff) &* 8
      guard size >= Int(shape.pointee.leastEights) &* 8, size <= records.count - at,
        shape.pointee.farCauses <= VV_FAR_LARGEST, UInt32(truncatingIfNeeded: third) == sequence
      else { throw flaw(at: walk, firstSequence) }
      sequence &+= 1

      let tick = record.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      ticks[count] = tick &- previous
      walk.tickMask |= tick &- previous
      previous = tick
      walk.firstTick = min(walk.firstTick, tick)
      walk.lastTick = max(walk.lastTick, tick)

      shapes[count] = UInt32(truncatingIfNeeded: number)

      let subscription = record.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
      let step = zigzag(subscription &- shape.pointee.lastSubscription)
      shape.pointee.lastSubscription = subscription
      subscriptions[count] = step
      walk.subscriptionMask |= step

      let back = UInt32(truncatingIfNeeded: third >> 32)
      let backStep = zigzag(back, less: shape.pointee.lastBack)
      shape.pointee.lastBack = back
      backs[count] = backStep
      walk.backMask |= backStep

      switch shape.pointee.layout {
      case .none: break
      case .word:
        take(word: record.loadUnaligned(fromByteOffset: 32, as: UInt64.self), number, shape, &walk)
      case .text:
        guard take(textOf: record, size: size, shape, &walk) else {
          throw flaw(at: walk, firstSequence)
        }
      }
      if shape.pointee.farCauses > 0 { take(farCausesOf: record, size: size, number, shape, &walk) }
      count &+= 1
      at &+= size
      walk.count = count
      walk.bytes = at
    }
    // The first event is told from the block's earliest, which is the same unless a clock went
    // backwards.
    ticks[0] = base.loadUnaligned(fromByteOffset: 8, as: UInt64.self) &- walk.firstTick
    walk.tickMask |= ticks[0]
    return walk
  }

  @inline(__always)
  private func take(
    word: UInt64, _ number: Int, _ shape: UnsafeMutablePointer<Shape>, _ walk: inout Walk
  ) {
    let difference = zigzag(word &- shape.pointee.lastWord)
    shape.pointee.lastWord = word
    shape.pointee.plainBits &+= UInt64(64 &- word.leadingZeroBitCount)
    shape.pointee.differenceBits &+= UInt64(64 &- difference.leadingZeroBitCount)
    words[walk.wordCount] = word
    wordShapes[walk.wordCount] = UInt32(truncatingIfNeeded: number)
    walk.wordCount &+= 1
  }

  private func take(
    textOf record: UnsafeRawPointer, size: Int, _ shape: UnsafeMutablePointer<Shape>,
    _ walk: inout Walk
  ) -> Bool {
    let lengths = record.loadUnaligned(fromByteOffset: 32, as: UInt64.self)
    let kept = Int(lengths >> 32)
    let original = UInt32(truncatingIfNeeded: lengths)
    guard kept <= size - 40 - Int(shape.pointee.farCauses) * 8 else { return false }
    let number = texts.add(UnsafeRawBufferPointer(start: record + 40, count: kept))
    let cut = original &- UInt32(kept)
    textNumbers.append(number)
    textCuts.append(cut)
    walk.textMask |= number
    walk.cutMask |= cut
    return true
  }

  private func take(
    farCausesOf record: UnsafeRawPointer, size: Int, _ number: Int,
    _ shape: UnsafeMutablePointer<Shape>, _ walk: inout Walk
  ) {
    let count = Int(shape.pointee.farCauses)
    let places = Int(VV_FAR_LARGEST)
    while lastFarCauses.count < (number + 1) * places { lastFarCauses.append(0) }
    for place in 0..<count {
      let offset = size - (count - place) * 8
      let cause = record.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let step = zigzag(cause &- lastFarCauses[number * places + place])
      lastFarCauses[number * places + place] = cause
      farCauses.append(step)
      walk.farMask |= step
    }
  }

  private func flaw(at walk: Walk, _ firstSequence: UInt64) -> TraceFileError {
    TraceFileError(
      .wrongUse,
      "record \(firstSequence &+ UInt64(walk.count)) of the ring is not sound: "
        + "its lengths or its number contradict the rest")
  }

  // MARK: - The payload

  private func write(_ walk: Walk) {
    let wordMask = finishWords(walk.wordCount)
    out.append(varint: UInt64(shapeTable.count))
    out.append(varint: UInt64(texts.count))
    out.append(varint: UInt64(texts.heap.count))
    planes.append(Column.ticks, ticks, count: walk.count, mask: walk.tickMask, to: out)
    writeShapes()
    let last = UInt32(shapeTable.count - 1)
    let shapeMask = last == 0 ? 0 : UInt32.max >> UInt32(last.leadingZeroBitCount)
    planes.append(Column.shapes, shapes, count: walk.count, mask: shapeMask, to: out)
    planes.append(
      Column.subscriptions, subscriptions, count: walk.count, mask: walk.subscriptionMask, to: out)
    planes.append(Column.backs, backs, count: walk.count, mask: walk.backMask, to: out)
    planes.append(Column.words, words, count: walk.wordCount, mask: wordMask, to: out)
    writeTexts(walk)
    planes.append(
      Column.farCauses, farCauses, count: farCauses.count, mask: walk.farMask, to: out)
  }

  /// Chooses the form of each shape's words and turns the words into it.
  private func finishWords(_ count: Int) -> UInt64 {
    let table = shapeTable.shapes
    for number in 0..<shapeTable.count {
      let shape = table + number
      shape.pointee.wordForm =
        shape.pointee.differenceBits < shape.pointee.plainBits
        ? WordForm.difference : WordForm.plain
      shape.pointee.lastWord = 0
    }
    var mask: UInt64 = 0
    for index in 0..<count {
      let shape = table + Int(wordShapes[index])
      let word = words[index]
      let difference = zigzag(word &- shape.pointee.lastWord)
      shape.pointee.lastWord = word
      let written = shape.pointee.wordForm == WordForm.plain ? word : difference
      words[index] = written
      mask |= written
    }
    return mask
  }

  private func writeShapes() {
    var previous: UInt32 = 0
    writeShapeColumn(Column.shapeStreams) { shape in
      defer { previous = shape.stream }
      return zigzag(shape.stream, less: previous)
    }
    writeShapeColumn(Column.shapeKinds) { UInt32($0.kind) }
    writeShapeColumn(Column.shapePayloads) { UInt32($0.payload) }
    writeShapeColumn(Column.shapeFarCauses) { UInt32($0.farCauses) }
    writeShapeColumn(Column.shapeWords) { UInt32($0.wordForm) }
  }

  private func writeShapeColumn(_ column: UInt8, _ value: (Shape) -> UInt32) {
    var mask: UInt32 = 0
    let values = (0..<shapeTable.count).map { number in
      let value = value(shapeTable.shapes[number])
      mask |= value
      return value
    }
    planes.append(column, values, count: values.count, mask: mask, to: out)
  }

  private func writeTexts(_ walk: Walk) {
    guard !textNumbers.isEmpty else { return }
    planes.append(
      Column.texts, textNumbers, count: textNumbers.count, mask: walk.textMask, to: out)
    planes.append(Column.cuts, textCuts, count: textCuts.count, mask: walk.cutMask, to: out)
    var mask: UInt32 = 0
    for index in 0..<texts.count { mask |= texts.lengths[index] }
    planes.append(Column.textLengths, texts.lengths, count: texts.count, mask: mask, to: out)
    planes.append(Column.heap, bytes: texts.heap.bytes, to: out)
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
