/// Records made by chance, as they lie in a ring.
struct RecordBytes {
  private(set) var bytes: [UInt8] = []
  private var sequence: UInt64
  private var tick: UInt64

  init(firstSequence: UInt64, firstTick: UInt64) {
    sequence = firstSequence
    tick = firstTick
  }

  /// Numbers of the next record and its tick.
  var next: (sequence: UInt64, tick: UInt64) { (sequence, tick) }

  mutating func add(_ count: Int, _ chance: inout Chance) {
    // Few shapes, so that their columns have something to predict.
    let seed = chance.next()
    for _ in 0..<count {
      var shape = Chance(seed: seed &+ UInt64(chance.below(chance.once(in: 9) ? 12 : 3)))
      add(&shape, &chance)
    }
  }

  private mutating func add(_ shape: inout Chance, _ chance: inout Chance) {
    let kind = UInt8(shape.once(in: 12) ? shape.below(70) : 1 + shape.below(15))
    let payload = UInt8(shape.once(in: 12) ? shape.below(30) : shape.below(15))
    let stream = UInt64(shape.below(8))
    let far = shape.once(in: 4) ? shape.below(9) : 0
    tick &+= chance.once(in: 20) ? chance.number() >> 24 : UInt64(chance.below(4)) * 26
    var content: [UInt8] = []
    switch payload {
    case 0, 1, 2, 11: break
    case 7, 8, 9, 10:
      let text = DefinitionBytes.text(&chance)
      content.append(UInt64(text.count + chance.below(3)), bytes: 4)
      content.append(UInt64(text.count), bytes: 4)
      content += text + [UInt8](repeating: 0, count: -text.count & 7)
    // Of kinds that nobody knows yet, too.
    default:
      content.append(chance.once(in: 5) ? chance.number() : sequence, bytes: 8)
    }
    for _ in 0..<far {
      content.append(UInt64(1 + chance.below(3)) << 40 | UInt64(chance.below(40)), bytes: 8)
    }
    bytes += [UInt8(4 + content.count / 8), kind, payload, UInt8(far)]
    bytes.append(stream, bytes: 4)
    bytes.append(tick, bytes: 8)
    bytes.append(sequence, bytes: 4)
    bytes.append(back(far, &chance), bytes: 4)
    bytes.append(chance.once(in: 9) ? chance.number() : stream, bytes: 8)
    bytes += content
    sequence += 1
  }

  private func back(_ far: Int, _ chance: inout Chance) -> UInt64 {
    if far > 0 { return 0xffff_ffff }
    return chance.once(in: 12) ? chance.number() : UInt64(chance.below(4))
  }
}
