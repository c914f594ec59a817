import VarveFormat

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Inputs that nobody has seen: what is found by changing what is there is never far from it.
enum FreshInput {
  /// An input of any kind.
  static func make(_ chance: inout Chance) -> [UInt8] {
    switch chance.below(8) {
    case 0:
      var records = RecordBytes(firstSequence: 1, firstTick: 5)
      records.add(1 + chance.below(40), &chance)
      return [Input(.records).byte] + records.bytes
    case 1: return [Input(.definitions).byte] + DefinitionBytes.log(&chance)
    case 2, 3:
      let way = Way.allCases[chance.below(Way.allCases.count)]
      let id = Trial.shared.id
      return [Input(.sidecar, way).byte] + SidecarInput.fresh(&chance, id: (id.low, id.high))
    default:
      let way = Way.allCases[chance.below(Way.allCases.count)]
      return [Input(.trace, way).byte] + trace(&chance)
    }
  }

  /// A trace as the library writes it.
  static func trace(
    _ chance: inout Chance, id: TraceID = Trial.shared.id, pid: UInt32 = 1
  ) -> [UInt8] {
    let path = Trial.shared.scratch
    let counter = TraceClock.counter(perSecond: chance.once(in: 4) ? chance.number() : 1_000_000)
    let header = TraceHeader(
      id: id,
      process: ProcessDescription(program: "p", arguments: ["-v"], pid: pid, host: "h", started: 1),
      clock: [TraceClock.monotonic, .byHand, counter][chance.below(3)],
      anchor: ClockAnchor(ticks: UInt64(chance.below(10)), monotonic: UInt64(chance.below(10))))
    do {
      let writer = try TraceWriter(creating: path, header: header)
      try fill(writer, &chance)
    } catch {
      stop("a trace cannot be written: \(error)")
    }
    return Trial.contents(of: path)
  }

  private static func fill(_ writer: TraceWriter, _ chance: inout Chance) throws {
    var next: [(sequence: UInt64, tick: UInt64)] = [(1, 1_000), (1, 1_100)]
    let isLarge = chance.once(in: 12)
    for _ in 0...chance.below(5) {
      switch chance.below(6) {
      case 0: try writer.append(anchor: anchor(&chance))
      case 1: try writer.append(losses: (0...chance.below(3)).map { _ in loss(&chance) })
      case 2:
        try DefinitionBytes.log(&chance).withUnsafeBytes { log in
          try writer.append(definitionLog: log)
        }
      default:
        let ring = chance.below(2)
        var records = RecordBytes(firstSequence: next[ring].sequence, firstTick: next[ring].tick)
        records.add(1 + chance.below(isLarge ? 600 : 24), &chance)
        try records.bytes.withUnsafeBytes { bytes in
          try writer.append(
            records: bytes, ring: UInt32(ring + 1), firstSequence: next[ring].sequence)
        }
        next[ring] = records.next
        if chance.once(in: 6) { next[ring].sequence += UInt64(chance.below(5)) }
      }
    }
    guard !chance.once(in: 3) else { return }
    let crash = TraceEnding.crashed(signal: 11, ring: 1, programCounter: 0x5555)
    try writer.finish(ending: [TraceEnding.clean, .killed, crash][chance.below(3)])
  }

  private static func anchor(_ chance: inout Chance) -> ClockAnchor {
    let near = UInt64(chance.below(100_000))
    return ClockAnchor(ticks: near, monotonic: chance.once(in: 4) ? chance.number() : near + 70)
  }

  private static func loss(_ chance: inout Chance) -> TraceLoss {
    let first = chance.once(in: 4) ? chance.number() >> 1 : UInt64(chance.below(5_000))
    return TraceLoss(
      ring: UInt32(chance.below(4)), count: UInt64(chance.below(100)),
      ticks: first...first + UInt64(chance.below(900)),
      reason: chance.once(in: 2) ? .noRoom : .notKept)
  }
}
