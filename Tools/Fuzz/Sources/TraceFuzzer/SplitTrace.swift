/// A trace, taken apart into its blocks, so that they can be changed and made sound again: nearly
/// all that a fuzzer does blindly to a file with checksums is told by those, and goes no deeper.
struct SplitTrace {
  private var header: [UInt8]
  private var blocks: [[UInt8]] = []
  private let seed: UInt32

  private enum Kind {
    static let header = 1
    static let events = 2
    static let definitions = 3
    static let index = 6
    static let trailer = 7
  }

  /// Nil when the bytes do not begin as a trace does, or hold no block.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 72 else { return nil }
    let size = bytes.number(at: 12, bytes: 4)
    guard size >= 72, size < bytes.count else { return nil }
    header = Array(bytes[..<size])
    seed = CRC32.of(UnsafeRawBufferPointer(rebasing: bytes[16..<32]), from: 0)
    var offset = size
    while offset + 24 <= bytes.count {
      let head = bytes.number(at: offset + 6, bytes: 2)
      let whole = head + bytes.number(at: offset + 12, bytes: 4)
      guard head >= 24, offset + whole <= bytes.count else { break }
      blocks.append(Array(bytes[offset..<offset + whole]))
      offset += whole
    }
    if offset < bytes.count { blocks.append(Array(bytes[offset...])) }
    guard !blocks.isEmpty else { return nil }
  }

  var bytes: [UInt8] {
    var all = header
    all.reserveCapacity(header.count + blocks.reduce(0) { $0 + $1.count })
    for block in blocks { all += block }
    return all
  }

  /// Does one to four things, each to one block.
  mutating func change(_ chance: inout Chance) {
    for _ in 0...chance.below(4) {
      guard !blocks.isEmpty else { return }
      let block = chance.below(blocks.count)
      switch chance.below(16) {
      case 0: blocks.insert(blocks[block], at: chance.below(blocks.count + 1))
      case 1 where blocks.count > 1: blocks.remove(at: block)
      case 2: blocks.swapAt(block, chance.below(blocks.count))
      case 3, 4, 5: changeHeader(block, &chance)
      case 6: changePayload(block, &chance)
      case 7: index()
      case 8: changeTraceHeader(&chance)
      case 9: blocks[block].removeLast(chance.below(blocks[block].count))
      case 10 where chance.once(in: 100): multiply(block, &chance)
      default: changeContent(block, &chance)
      }
    }
  }

  /// The trace's own header changes and stays sound.
  private mutating func changeTraceHeader(_ chance: inout Chance) {
    if chance.once(in: 2) {
      header.put(chance.number(), at: 8 + chance.below(header.count - 12), bytes: 1)
    } else {
      header.mutate(from: 32, room: 32)
      header.put(UInt64(header.count), at: 12, bytes: 4)
    }
    guard header.count >= 76 else { return }
    let sum = CRC32.of(header[..<(header.count - 4)], from: 0)
    header.put(UInt64(sum), at: header.count - 4, bytes: 4)
  }

  /// A field of a block's header becomes another number.
  private mutating func changeHeader(_ block: Int, _ chance: inout Chance) {
    let fields = [
      (4, 1), (5, 1), (6, 2), (8, 4), (20, 4), (24, 4), (28, 8), (36, 4), (36, 8), (44, 8), (52, 8),
      (60, 8), (68, 2),
    ]
    let (at, size) = fields[chance.below(fields.count)]
    guard at + size <= headBytes(block) - 4 else { return }
    // Often a small step, since numbers have to fit those of other blocks.
    let old = UInt64(truncatingIfNeeded: blocks[block].number(at: at, bytes: size))
    let step = UInt64(chance.below(5)) &- 2
    blocks[block].put(chance.once(in: 2) ? old &+ step : chance.number(), at: at, bytes: size)
    seal(block)
  }

  /// A payload is changed by libFuzzer: from somewhere on to its end.
  private mutating func changePayload(_ block: Int, _ chance: inout Chance) {
    let head = headBytes(block)
    guard blocks[block].count > head else { return }
    blocks[block].mutate(from: head + chance.below(blocks[block].count - head), room: 64)
    seal(block)
  }

  /// A payload changes in the way of its kind.
  private mutating func changeContent(_ block: Int, _ chance: inout Chance) {
    let head = headBytes(block)
    guard head >= 24 else { return }
    switch Int(blocks[block][4]) {
    case Kind.events:
      guard head >= 44, var payload = EventPayload(Array(blocks[block][head...])) else { break }
      payload.change(&chance, events: blocks[block].number(at: 20, bytes: 4))
      replacePayload(block, payload.bytes)
      return
    case Kind.definitions:
      var log = DefinitionBytes.log(&chance)
      if chance.once(in: 4) { log.mutate(room: 64) }
      blocks[block][5] = 0
      blocks[block].put(UInt64(log.count), at: 8, bytes: 4)
      replacePayload(block, log)
      return
    default: break
    }
    changePayload(block, &chance)
  }

  private mutating func replacePayload(_ block: Int, _ payload: [UInt8]) {
    blocks[block].replaceSubrange(headBytes(block)..., with: payload)
    seal(block)
  }

  /// Writes index and trailer anew, for what the blocks are now.
  private mutating func index() {
    var offset = header.count
    var trailer: [UInt8]?
    var kept: [[UInt8]] = []
    for block in blocks where block.count >= 24 {
      if block[4] == Kind.trailer { trailer = block }
      if block[4] != Kind.trailer, block[4] != Kind.index { kept.append(block) }
    }
    var list: [UInt8] = []
    for block in kept {
      list += block[..<min(max(24, block.number(at: 6, bytes: 2)), block.count)]
      offset += block.count
    }
    var fields: [UInt8] = []
    fields.append(0, bytes: 8)
    fields.append(UInt64(header.count), bytes: 8)
    fields.append(UInt64(kept.count), bytes: 4)
    var index: [UInt8] = [0xd6, 0x56, 0x42, 0x1a, UInt8(Kind.index), 0]
    index.append(UInt64(24 + fields.count), bytes: 2)
    index.append(UInt64(list.count), bytes: 4)
    index.append(UInt64(list.count), bytes: 4)
    index += [0, 0, 0, 0] + fields + [0, 0, 0, 0] + list
    blocks = kept + [index]
    seal(blocks.count - 1)
    guard var last = trailer, last.count >= 68 else { return }
    last.put(UInt64(offset), at: 20, bytes: 8)
    blocks.append(last)
    seal(blocks.count - 1)
  }

  private func headBytes(_ block: Int) -> Int {
    guard blocks[block].count >= 24 else { return blocks[block].count }
    return min(max(24, blocks[block].number(at: 6, bytes: 2)), blocks[block].count)
  }

  /// Makes length and checksums right.
  private mutating func seal(_ block: Int) {
    let head = headBytes(block)
    guard head >= 24 else { return }
    let start = blocks[block][4] == Kind.header ? 0 : seed
    let stored = blocks[block].count - head
    let payload = CRC32.of(blocks[block][head...], from: start)
    blocks[block].put(UInt64(stored), at: 12, bytes: 4)
    blocks[block].put(UInt64(payload), at: 16, bytes: 4)
    let sum = CRC32.of(blocks[block][..<(head - 4)], from: start)
    blocks[block].put(UInt64(sum), at: head - 4, bytes: 4)
  }
}

// MARK: - Much out of little

extension SplitTrace {
  /// So many events may a file come to stand for. Mostly few, which is tried in no time; seldom enough
  /// to take more memory than it may if they were all held, and few enough to be read in time.
  private static func mostEvents(_ chance: inout Chance) -> Int {
    chance.once(in: 50) ? 1_500_000 : 8_192
  }

  /// Repeats a block of events, each time on another thread and at the same time: whoever puts the
  /// events into one order has all of these blocks before it at once. A copy as it is would be passed
  /// over, since its events have the numbers of others.
  private mutating func multiply(_ block: Int, _ chance: inout Chance) {
    guard headBytes(block) >= 74, blocks[block][4] == Kind.events else { return }
    let most = Self.mostEvents(&chance)
    if !chance.once(in: 4) { fillWithConstants(block, &chance, most: most) }
    let events = max(1, min(blocks[block].number(at: 20, bytes: 4), 65_536))
    let copies = min(most / events, 1 + chance.below(150))
    let first = UInt64(truncatingIfNeeded: blocks[block].number(at: 36, bytes: 8))
    let hasOneThread = chance.once(in: 4)
    var made: [[UInt8]] = []
    for copy in 0...copies {
      // Later blocks' numbers no longer fit: these come last.
      var next = blocks[block]
      if !hasOneThread { next.put(UInt64(copy + 1), at: 24, bytes: 4) }
      let sequence = UInt64(truncatingIfNeeded: next.number(at: 28, bytes: 8))
      if hasOneThread { next.put(sequence &+ UInt64(copy * events), at: 28, bytes: 8) }
      next.put(first &+ UInt64(copy * events), at: 36, bytes: 8)
      made.append(next)
    }
    blocks[block...] = made[...]
    for copy in block..<blocks.count { seal(copy) }
  }

  /// Makes a block one of many events of which all columns are constant: a hundred bytes.
  private mutating func fillWithConstants(_ block: Int, _ chance: inout Chance, most: Int) {
    let events = min([2_000, 16_384, 65_536][chance.below(3)], most / 4)
    var payload: [UInt8] = [1, 0, 0, 0]
    for column in [1, 2, 3] + [4, 5, 6, 7, 8, 9, 12, 13].filter({ _ in chance.once(in: 3) }) {
      let number = chance.once(in: 9) ? chance.below(256) : [1, 2, 4][min(column - 1, 2)]
      payload += [UInt8(column), 1]
      payload.append(varint: UInt64(number << 2))
    }
    let first = UInt64(truncatingIfNeeded: blocks[block].number(at: 44, bytes: 8))
    blocks[block][5] = 2
    blocks[block].put(UInt64(events * 32), at: 8, bytes: 4)
    blocks[block].put(UInt64(events), at: 20, bytes: 4)
    blocks[block].put(first &+ UInt64(events - 1), at: 52, bytes: 8)
    replacePayload(block, payload)
  }
}
