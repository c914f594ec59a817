/// A trace, taken apart into its blocks, so that they can be changed and made sound again: nearly
/// all that a fuzzer does blindly to a file with checksums is told by those, and goes no deeper.
struct SplitTrace {
  private var header: [UInt8]
  private var blocks: [[UInt8]] = []
  private let seed: UInt32

  /// Nil when the bytes do not begin as a trace does, or hold no block.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 72 else { return nil }
    let size = Self.number(bytes, 12, 4)
    guard size >= 72, size < bytes.count else { return nil }
    header = Array(bytes[..<size])
    seed = CRC32.of(bytes[16..<32], from: 0)
    var offset = size
    while offset + 24 <= bytes.count {
      let head = Self.number(bytes, offset + 6, 2)
      let whole = head + Self.number(bytes, offset + 12, 4)
      guard head >= 24, offset + whole <= bytes.count else { break }
      blocks.append(Array(bytes[offset..<offset + whole]))
      offset += whole
    }
    if offset < bytes.count { blocks.append(Array(bytes[offset...])) }
    guard !blocks.isEmpty else { return nil }
  }

  var bytes: [UInt8] { blocks.reduce(header, +) }

  private static func number(_ bytes: some RandomAccessCollection<UInt8>, _ at: Int, _ size: Int)
    -> Int
  {
    var number = 0
    for place in (0..<size).reversed() {
      number = number << 8 | Int(bytes[bytes.index(bytes.startIndex, offsetBy: at + place)])
    }
    return number
  }

  /// Does one to four things, each to one block.
  mutating func change(_ chance: Chance, mostBytes: Int) {
    var chance = chance
    for _ in 0...chance.below(4) {
      let block = chance.below(blocks.count)
      switch chance.below(12) {
      case 0: blocks.insert(blocks[block], at: chance.below(blocks.count + 1))
      case 1 where blocks.count > 1: blocks.remove(at: block)
      case 2: blocks.swapAt(block, chance.below(blocks.count))
      case 3, 4, 5: changeHeader(block, &chance)
      case 6: changePayload(block, &chance, mostBytes: mostBytes, anywhere: false)
      default: changePayload(block, &chance, mostBytes: mostBytes, anywhere: true)
      }
    }
  }

  /// A field of the header becomes another number.
  private mutating func changeHeader(_ block: Int, _ chance: inout Chance) {
    let fields = [
      (4, 1), (5, 1), (8, 4), (20, 4), (24, 4), (28, 8), (36, 8), (44, 8), (52, 8), (60, 8),
      (68, 2),
    ]
    let (at, size) = fields[chance.below(fields.count)]
    let head = headBytes(block)
    guard at + size <= head - 4 else { return }
    let word = chance.number()
    for place in 0..<size {
      blocks[block][at + place] = UInt8(truncatingIfNeeded: word >> UInt64(place * 8))
    }
    seal(block)
  }

  /// The payload is changed by libFuzzer: as a whole, or from somewhere on to its end.
  private mutating func changePayload(
    _ block: Int, _ chance: inout Chance, mostBytes: Int, anywhere: Bool
  ) {
    let head = headBytes(block)
    guard blocks[block].count > head else { return }
    let start = anywhere ? head + chance.below(blocks[block].count - head) : head
    let part = Array(blocks[block][start...])
    let most = min(part.count + 64, part.count + max(0, mostBytes - bytes.count))
    var room = part + [UInt8](repeating: 0, count: most - part.count)
    let count = room.withUnsafeMutableBufferPointer { room in
      libFuzzerMutate(room.baseAddress!, part.count, most)
    }
    blocks[block].replaceSubrange(start..., with: room[..<count])
    seal(block)
  }

  private func headBytes(_ block: Int) -> Int {
    guard blocks[block].count >= 24 else { return blocks[block].count }
    return min(max(24, Self.number(blocks[block], 6, 2)), blocks[block].count)
  }

  /// Makes length and checksums right.
  private mutating func seal(_ block: Int) {
    let head = headBytes(block)
    guard head >= 24 else { return }
    let start = blocks[block][4] == 1 ? 0 : seed
    let stored = UInt32(blocks[block].count - head)
    put(stored, at: 12, in: block)
    put(CRC32.of(blocks[block][head...], from: start), at: 16, in: block)
    put(CRC32.of(blocks[block][..<(head - 4)], from: start), at: head - 4, in: block)
  }

  private mutating func put(_ number: UInt32, at offset: Int, in block: Int) {
    for place in 0..<4 {
      blocks[block][offset + place] = UInt8(truncatingIfNeeded: number >> UInt32(place * 8))
    }
  }
}

/// The checksum of the format, by the document and not by the library.
enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xedb8_8320 : sum >> 1 }
  }

  static func of(_ bytes: some Sequence<UInt8>, from sum: UInt32) -> UInt32 {
    ~bytes.reduce(~sum) { sum, byte in table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8
    }
  }
}

/// Numbers that follow from a seed.
struct Chance {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ end: Int) -> Int { end < 2 ? 0 : Int(next() % UInt64(end)) }

  /// Numbers of all sizes, and those at which things go wrong.
  mutating func number() -> UInt64 {
    switch below(4) {
    case 0: next() >> UInt64(below(64))
    case 1: UInt64(below(20))
    case 2: (1 << UInt64(below(64))) &- UInt64(below(3))
    default: .max - UInt64(below(3))
    }
  }
}
