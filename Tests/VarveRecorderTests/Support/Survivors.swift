import VarveFormat
import VarveProbe

/// What is left of the play `send`: which of the values 1, 2, 3, … of each thread are in the trace.
struct Survivors {
  /// Values that follow each other, and when the first and the last were sent.
  private struct Stretch {
    var values: ClosedRange<UInt64>
    var ticks: ClosedRange<UInt64>
  }

  /// What contradicts itself.
  private(set) var flaws: [String] = []
  private(set) var count: UInt64 = 0
  private(set) var losses: [TraceLoss] = []
  private var rings: [UInt32: (thread: Int, stretches: [Stretch])] = [:]
  private var sequences: [UInt32: UInt64] = [:]

  /// Reads a trace and the finished files of its rotation.
  init(_ path: String, finished: [String] = []) throws {
    for path in finished + [path] {
      let reader = try TraceReader(path: path)
      // A block that was being written is there in part. Whatever it held is in the rings, too.
      let damage = reader.damage.filter { $0.offset + $0.bytes != reader.bytes }
      flaws += damage.map { "\($0)" } + reader.warnings
      losses += reader.losses
      var columns = EventColumns()
      for (index, block) in reader.blocks.enumerated() {
        // Killed between two steps of a rotation, a file may have two names.
        guard block.firstSequence > sequences[block.ring] ?? 0 else { continue }
        sequences[block.ring] = block.firstSequence + UInt64(block.count) - 1
        try reader.decode(index, into: &columns, columns: .all)
        for stream in Set(columns.streams) where reader.definitions.streams[stream] == nil {
          flaws.append("stream \(stream) is undefined in \(path)")
        }
        add(columns)
      }
    }
  }

  private mutating func add(_ columns: EventColumns) {
    count += UInt64(columns.count)
    guard let first = columns.streams.first else { return }
    var (thread, stretches) = rings[columns.ring] ?? (Int((first &- 1) & 15), [])
    var latest = stretches.popLast()
    for index in 0..<columns.count {
      guard columns.kinds[index] == RecordKind.value.rawValue,
        Int((columns.streams[index] &- 1) & 15) == thread
      else {
        flaws.append("ring \(columns.ring): an event that its thread did not send")
        continue
      }
      guard let value = value(of: columns, index) else { continue }
      let tick = columns.ticks[index]
      guard let before = latest else {
        latest = Stretch(values: value...value, ticks: tick...tick)
        continue
      }
      if value <= before.values.upperBound || tick <= before.ticks.upperBound {
        flaws.append("ring \(columns.ring): \(value) follows \(before.values.upperBound)")
      } else if value == before.values.upperBound + 1 {
        latest = Stretch(
          values: before.values.lowerBound...value, ticks: before.ticks.lowerBound...tick)
      } else {
        stretches.append(before)
        latest = Stretch(values: value...value, ticks: tick...tick)
      }
    }
    if let latest { stretches.append(latest) }
    rings[columns.ring] = (thread, stretches)
  }

  /// What was sent, if the payload is what the program makes of it.
  private mutating func value(of columns: EventColumns, _ index: Int) -> UInt64? {
    guard columns.payloadKinds[index] == PayloadKind.string.rawValue else {
      return columns.words[index]
    }
    let bytes = columns.heap[Int(columns.textStarts[index])..<Int(columns.textStarts[index + 1])]
    let digits = bytes.dropFirst(6).prefix { 48...57 ~= $0 }
    let value = digits.reduce(UInt64(0)) { $0 * 10 + UInt64($1 - 48) }
    let filling = bytes.dropFirst(7 + digits.count)
    let isPlain = filling.count == Int(value * 7 % 180) && filling.allSatisfy { $0 == 120 }
    guard isPlain || filling.elementsEqual(Self.noise(value)) else {
      flaws.append("a text that nobody sent: \(String(decoding: bytes, as: UTF8.self))")
      return nil
    }
    return value
  }

  /// What the program fills a text with that cannot be made shorter.
  private static func noise(_ value: UInt64) -> some Sequence<UInt8> {
    sequence(first: value &* 0x9e37_79b9_7f4a_7c15 | 1) { state in
      let once = state ^ state << 13
      let twice = once ^ once >> 7
      return twice ^ twice << 17
    }.dropFirst().prefix(180).map { UInt8(33 + ($0 >> 32) % 90) }
  }

  /// The last value of a thread, if all before it are there, too; else what is missing.
  func last(of thread: Int) -> Result<UInt64, Gap> {
    var last: UInt64 = 0
    for (ring, life) in rings.sorted(by: { $0.key < $1.key }) where life.thread == thread {
      for stretch in life.stretches {
        guard stretch.values.lowerBound == last + 1 else {
          return .failure(Gap(ring: ring, from: last, to: stretch.values.lowerBound))
        }
        last = stretch.values.upperBound
      }
    }
    return .success(last)
  }

  /// The last value of a thread; 0 when there is none.
  func latest(of thread: Int) -> UInt64 {
    let last = rings.values.filter { $0.thread == thread }.compactMap(\.stretches.last)
    return last.map(\.values.upperBound).max() ?? 0
  }

  struct Gap: Error {
    var ring: UInt32
    var from: UInt64
    var to: UInt64
  }

  /// How many events the trace says are missing.
  var missing: UInt64 { losses.reduce(0) { $0 + $1.count } }

  /// How many values of a thread the trace has or says are missing; nil when the thread never had a
  /// ring. Every gap must be explained by the losses that lie in it. For threads that had one ring.
  mutating func accounted(thread: Int) -> UInt64? {
    guard let (ring, life) = rings.first(where: { $0.value.thread == thread }) else { return nil }
    let losses = self.losses.filter { $0.ring == ring }
    var before = (value: UInt64(0), tick: UInt64(0))
    for stretch in life.stretches {
      let inside = losses.filter {
        before.tick < $0.ticks.lowerBound && $0.ticks.upperBound < stretch.ticks.lowerBound
      }
      let told = inside.reduce(0) { $0 + $1.count }
      let missing = stretch.values.lowerBound - before.value - 1
      if told != missing {
        flaws.append("ring \(ring): \(missing) are missing after \(before.value), \(told) told")
      }
      before = (stretch.values.upperBound, stretch.ticks.upperBound)
    }
    let kept = life.stretches.reduce(0) { $0 + UInt64($1.values.count) }
    return kept + losses.reduce(0) { $0 + $1.count }
  }
}
