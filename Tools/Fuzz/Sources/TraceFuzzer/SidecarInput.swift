/// A sidecar without the zeros that it is mostly made of: a header of 1,032 bytes, two
/// threads without a ring, and
/// regions, each with the 448 bytes that its header begins with, the length of its data and these.
enum SidecarInput {
  private static let headBytes = 1_032
  private static let placeBytes = 64
  private static let ringBytes = 448
  private static let ringless = 4_096
  private static let regions = 32_768
  private static let regionHead = 16_384

  /// What lies where in the file, and how long that is.
  static func expand(
    _ bytes: UnsafeRawBufferPointer, _ put: (UnsafeRawBufferPointer, Int) -> Void
  ) -> Int {
    func part(_ range: Range<Int>) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(rebasing: bytes[range.clamped(to: 0..<bytes.count)])
    }
    put(part(0..<headBytes), 0)
    put(part(headBytes..<headBytes + 2 * placeBytes), ringless)
    var offset = headBytes + 2 * placeBytes
    var place = regions
    while offset + ringBytes + 4 <= bytes.count {
      let length = bytes.number(at: offset + ringBytes, bytes: 2)
      let capacity = 4_096 << (bytes.number(at: offset + ringBytes + 2, bytes: 2) & 3)
      put(part(offset..<offset + ringBytes), place)
      offset += ringBytes + 4
      put(part(offset..<offset + length), place + regionHead)
      offset += length
      place += regionHead + capacity
    }
    return place
  }

  /// One made by chance, of the trace with this id, that belongs to a process that is gone.
  static func fresh(_ chance: inout Chance, id: (low: UInt64, high: UInt64)) -> [UInt8] {
    var header: [UInt8] = Array("varvlive".utf8)
    header.append(1, bytes: 4)
    header.append(UInt64(regions), bytes: 4)
    header.append(id.low, bytes: 8)
    header.append(id.high, bytes: 8)
    header += [UInt8](repeating: 0, count: headBytes - header.count)
    header.put(UInt64(chance.below(3)), at: 72, bytes: 4)
    header.put(UInt64(ringless), at: 76, bytes: 4)
    if chance.once(in: 4) { header[80] = 1 }
    if chance.once(in: 4) {
      header.put(2, at: 128, bytes: 8)
      header.put(11, at: 136, bytes: 4)
      header.put(1, at: 140, bytes: 4)
    }
    if chance.once(in: 4) { header.put(1 + chance.next() << 32, at: 192, bytes: 8) }
    if chance.once(in: 3) {
      let frames = chance.below(6)
      header.put(UInt64(frames), at: 512, bytes: 8)
      for frame in 0..<frames { header.put(chance.number(), at: 520 + frame * 8, bytes: 8) }
    }
    if chance.once(in: 3) { loss(&chance, in: &header, at: 256) }
    var places = [UInt8](repeating: 0, count: 2 * placeBytes)
    loss(&chance, in: &places, at: 0)
    places.put(3, at: 40, bytes: 4)
    var place = regions
    var all: [UInt8] = []
    for region in 0...chance.below(4) {
      let capacity = chance.below(3)
      all += self.region(region, &chance, id, capacity)
      place += regionHead + 4_096 << capacity
    }
    header.put(UInt64(place), at: 64, bytes: 8)
    return header + places + all
  }

  private static func region(
    _ number: Int, _ chance: inout Chance, _ id: (low: UInt64, high: UInt64), _ capacity: Int
  ) -> [UInt8] {
    let isLog = chance.once(in: 3)
    let size = 4_096 << capacity
    var first: UInt64 = UInt64(1 + chance.below(16))
    var content = isLog ? DefinitionBytes.log(&chance) : []
    if !isLog {
      if chance.once(in: 16) { first = chance.number() >> 16 | 1 }
      var records = RecordBytes(firstSequence: first, firstTick: 9_000)
      records.add(chance.below(20), &chance)
      content = records.bytes
    }
    content = Array(content.prefix(size))
    let start = chance.once(in: 3) ? UInt64(chance.below(size) & ~7) : 0
    var ring: [UInt8] = Array("varvregn".utf8)
    ring.append(id.low, bytes: 8)
    ring.append(id.high, bytes: 8)
    ring.append(UInt64(regionHead + size), bytes: 8)
    ring.append(isLog ? 2 : 1, bytes: 8)
    ring.append(UInt64(size), bytes: 8)
    ring.append(77, bytes: 8)
    ring.append(UInt64(1 + number), bytes: 8)
    ring += DefinitionBytes.text(&chance)
    ring += [UInt8](repeating: 0, count: ringBytes - ring.count)
    ring.put(start + UInt64(content.count), at: 128, bytes: 8)
    ring.put(1, at: 136, bytes: 8)
    ring.put(start, at: 256, bytes: 8)
    ring.put(first - 1, at: 264, bytes: 8)
    if chance.once(in: 3) { loss(&chance, in: &ring, at: 384) }
    // A ring of bytes: what begins late goes on at the beginning.
    var data = content
    if start > 0 {
      data = [UInt8](repeating: 0, count: size)
      for (index, byte) in content.enumerated() { data[(Int(start) + index) % size] = byte }
    }
    ring.append(UInt64(data.count), bytes: 2)
    ring.append(UInt64(capacity), bytes: 2)
    return ring + data
  }

  private static func loss(_ chance: inout Chance, in bytes: inout [UInt8], at offset: Int) {
    bytes.put(UInt64(chance.below(4)), at: offset, bytes: 8)
    bytes.put(UInt64(chance.below(9)), at: offset + 8, bytes: 8)
    bytes.put(9_000 + UInt64(chance.below(900)), at: offset + 16, bytes: 8)
    bytes.put(chance.once(in: 8) ? chance.number() : 9_900, at: offset + 24, bytes: 8)
  }

  /// Changes a field of the header, of a thread without a ring or of a ring, or libFuzzer changes something.
  static func change(_ bytes: inout [UInt8], _ chance: inout Chance, room: Int) {
    let fields = [
      0, 8, 12, 24, 32, 40, 56, 64, 72, 76, 80, 128, 136, 192, 256, 264, 272, 280, 512, 520,
    ]
    let ring = [0, 8, 24, 32, 40, 56, 64, 128, 136, 256, 264, 384, 392, 400, 408]
    guard bytes.count > headBytes + 2 * placeBytes + ringBytes, !chance.once(in: 3) else {
      return bytes.mutate(from: chance.below(bytes.count), room: room)
    }
    let start = headBytes + 2 * placeBytes
    let isHeader = chance.once(in: 2)
    let at =
      isHeader ? fields[chance.below(fields.count)] : start + ring[chance.below(ring.count)]
    let old = UInt64(truncatingIfNeeded: bytes.number(at: at, bytes: 7))
    let isStep = chance.once(in: 2)
    let new = isStep ? old &+ UInt64(chance.below(65)) &- 32 : chance.number()
    bytes.put(new, at: at, bytes: chance.once(in: 2) ? 8 : 4)
  }
}
