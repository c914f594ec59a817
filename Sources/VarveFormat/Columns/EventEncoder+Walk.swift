internal import CVarveSystem

extension EventEncoder {
  /// Walks over records and fills the arrays, until the block is full, `enough` bytes are consumed,
  /// or a record is malformed. This loop sees every event: it keeps its state in registers and
  /// leaves rare cases to separate functions.
  func walk(
    _ records: UnsafeRawBufferPointer, enough: Int, firstSequence: UInt64
  ) -> RecordWalk {
    var walk = RecordWalk()
    guard let base = records.baseAddress, records.count >= Int(VV_RECORD_HEAD_BYTES) else {
      walk.isFlawed = !records.isEmpty
      return walk
    }
    walk.startTick = base.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    let (ticks, shapes) = (self.ticks, self.shapes)
    let end = min(enough, records.count, TraceLimits.recordBytesWritten)
    var sequence = UInt32(truncatingIfNeeded: firstSequence)
    var previous = walk.startTick
    var wentBack = false
    var count = 0
    var at = 0
    while at < end, count < TraceLimits.eventsWritten {
      let left = records.count &- at
      guard left >= Int(VV_RECORD_HEAD_BYTES) else {
        walk.isFlawed = true
        break
      }
      let record = base + at
      let first = record.loadUnaligned(as: UInt64.self)
      let number = shapeTable.number(of: first >> 8, record)
      let shape = shapeTable.shapes + number
      let third = record.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
      let size = Int(first & 0xff) &* 8
      guard size >= Int(shape.pointee.leastBytes), size <= left,
        UInt32(truncatingIfNeeded: third) == sequence
      else {
        walk.isFlawed = true
        break
      }
      let tick = record.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      ticks[count] = tick &- previous
      wentBack = wentBack || tick < previous
      previous = tick
      shapes[count] = UInt32(truncatingIfNeeded: number)
      let subscription = record.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
      let back = UInt32(truncatingIfNeeded: third >> 32)
      if subscription != shape.pointee.lastSubscription || back != shape.pointee.lastBack {
        note(subscription: subscription, back: back, of: shape, at: count)
      }
      if shape.pointee.layout == .word {
        take(
          word: record.loadUnaligned(fromByteOffset: 32, as: UInt64.self), of: shape, number)
      } else if shape.pointee.layout == .text {
        guard take(textOf: record, size: size, shape) else {
          walk.isFlawed = true
          break
        }
      }
      if shape.pointee.farCauses > 0 { take(farCausesOf: record, size: size, number, shape) }
      sequence &+= 1
      count &+= 1
      at &+= size
    }
    walk.count = count
    walk.bytes = at
    walk.ticksWentBack = wentBack
    return walk
  }

  /// Stores how an event differs from the last one of its shape.
  @inline(never)
  private func note(
    subscription: UInt64, back: UInt32, of shape: UnsafeMutablePointer<Shape>, at index: Int
  ) {
    if subscription != shape.pointee.lastSubscription {
      subscriptions.set(zigzag(subscription &- shape.pointee.lastSubscription), at: index)
    }
    if back != shape.pointee.lastBack {
      backs.set(zigzag(back, less: shape.pointee.lastBack), at: index)
    }
    shape.pointee.lastSubscription = subscription
    shape.pointee.lastBack = back
  }

  @inline(__always)
  private func take(word: UInt64, of shape: UnsafeMutablePointer<Shape>, _ number: Int) {
    if shape.pointee.wordsSeen < WordSamples.each { note(word, of: shape, number) }
    words[wordCount] = zigzag(word &- shape.pointee.lastWord)
    shape.pointee.lastWord = word
    wordCount &+= 1
  }

  @inline(never)
  private func note(_ word: UInt64, of shape: UnsafeMutablePointer<Shape>, _ number: Int) {
    if shape.pointee.wordsSeen == 0 {
      shape.pointee.firstWord = word
      shape.pointee.lastWord = word
    }
    samples.note(word, shape: number, index: shape.pointee.wordsSeen)
    shape.pointee.wordsSeen += 1
  }

  /// Takes a text; returns false if its length is invalid.
  @inline(never)
  private func take(
    textOf record: UnsafeRawPointer, size: Int, _ shape: UnsafeMutablePointer<Shape>
  ) -> Bool {
    let lengths = record.loadUnaligned(fromByteOffset: 32, as: UInt64.self)
    let kept = lengths >> 32
    // Cannot underflow: the size is at least the smallest that the shape allows.
    guard kept <= UInt64(size &- 40 &- Int(shape.pointee.farCauses) &* 8) else { return false }
    // The bytes up to the far causes are a whole number of words.
    texts.add(
      record + 40, length: UInt32(truncatingIfNeeded: kept),
      original: UInt32(truncatingIfNeeded: lengths), after: &shape.pointee.lastText)
    return true
  }

  @inline(never)
  private func take(
    farCausesOf record: UnsafeRawPointer, size: Int, _ number: Int,
    _ shape: UnsafeMutablePointer<Shape>
  ) {
    let count = Int(shape.pointee.farCauses)
    let places = Int(VV_FAR_LARGEST)
    while lastFarCauses.count < (number + 1) * places { lastFarCauses.append(0) }
    for place in 0..<count {
      let offset = size - (count - place) * 8
      let cause = record.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      farCauses.append(zigzag(cause &- lastFarCauses.base[number * places + place]))
      lastFarCauses.base[number * places + place] = cause
    }
  }
}
