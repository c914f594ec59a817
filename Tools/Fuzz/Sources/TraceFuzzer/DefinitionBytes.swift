/// Definitions made by chance, with right checksums.
enum DefinitionBytes {
  /// A log of some.
  static func log(_ chance: inout Chance) -> [UInt8] {
    var log: [UInt8] = []
    for _ in 0...chance.below(6) { log += definition(&chance) }
    return log
  }

  static func definition(_ chance: inout Chance) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 8)
    let kind = 1 + chance.below(chance.once(in: 8) ? 12 : 6)
    let flags = kind == 1 ? chance.below(8) : 0
    let id = chance.once(in: 4) ? chance.number() : UInt64(chance.below(8))
    bytes += [UInt8(kind), UInt8(flags), UInt8(chance.below(10)), 0]
    bytes.append(id, bytes: 4)
    body(kind, flags, &chance, &bytes)
    if chance.once(in: 4) { bytes.mutate(from: 8, room: 16) }
    bytes += [UInt8](repeating: 0, count: -bytes.count & 7)
    return sealed(bytes)
  }

  /// With right length and checksum.
  static func sealed(_ definition: [UInt8]) -> [UInt8] {
    var bytes = definition
    bytes.put(UInt64(bytes.count), at: 0, bytes: 4)
    bytes.put(UInt64(CRC32.of(bytes[8...], from: 0)), at: 4, bytes: 4)
    return bytes
  }

  private static func body(
    _ kind: Int, _ flags: Int, _ chance: inout Chance, _ bytes: inout [UInt8]
  ) {
    switch kind {
    case 1:
      bytes.append(chance.number(), bytes: 8)
      ids(&chance, &bytes, most: 4)
      bytes.append(text: text(&chance))
      if flags & 2 != 0 { bytes.append(text: text(&chance)) }
      bytes.append(text: text(&chance))
      bytes.append(text: text(&chance))
      if flags & 1 != 0 {
        bytes.append(text: text(&chance))
        bytes.append(varint: UInt64(chance.below(9_999)))
      }
      if flags & 4 != 0 { bytes.append(varint: UInt64(chance.below(9))) }
    case 2: bytes.append(text: text(&chance))
    case 3:
      bytes.append(UInt64(chance.below(100)), bytes: 8)
      bytes.append(text: text(&chance))
    case 4:
      let count = chance.below(5)
      bytes.append(varint: UInt64(count))
      for _ in 0..<count { bytes.append(address(&chance), bytes: 8) }
    case 5:
      bytes.append(chance.number(), bytes: 8)
      bytes.append(0x5000, bytes: 8)
      bytes.append(0x5000 + UInt64(chance.below(0x4000)), bytes: 8)
      bytes.append(text: chance.bytes(chance.below(24)))
      bytes.append(text: text(&chance))
    case 6:
      bytes.append(address(&chance), bytes: 8)
      let count = chance.below(3)
      bytes.append(varint: UInt64(count))
      for _ in 0..<count {
        bytes.append(text: text(&chance))
        bytes.append(text: text(&chance))
        bytes.append(varint: UInt64(chance.below(200)))
      }
    default: bytes += chance.bytes(chance.below(32))
    }
  }

  private static func ids(_ chance: inout Chance, _ bytes: inout [UInt8], most: Int) {
    let count = chance.below(most)
    bytes.append(varint: UInt64(count))
    for _ in 0..<count { bytes.append(varint: UInt64(chance.below(8))) }
  }

  /// Near each other, so that modules, stacks and symbols meet.
  private static func address(_ chance: inout Chance) -> UInt64 {
    let near = 0x5000 + UInt64(chance.below(0x4000))
    return chance.once(in: 4) ? near | 1 << 63 : near
  }

  static func text(_ chance: inout Chance) -> [UInt8] {
    let texts = [
      "login", "ticker.even", "pipe@A.swift:1.map(_:)", "", "ä→\u{7}\"", "Optional<Int>",
    ]
    if chance.once(in: 6) { return chance.bytes(chance.below(20)) }
    return Array(texts[chance.below(texts.count)].utf8)
  }
}
