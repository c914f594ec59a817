import CVarveSystem
import Measurement
import VarveFormat
import VarveProbe

/// Makes traces of many events quickly: records as a ring would hold them, straight into a writer.
public struct TraceMill {
  /// What making a trace cost.
  public struct Cost {
    /// CPU of turning records into blocks of the file, for an event: what a drain thread does.
    public var writerNanoseconds: Double
    /// The file's bytes.
    public var bytes: UInt64
    /// Bytes of entropy of the gaps and of the payloads, for an event: the floor.
    public var entropyPerEvent: Double
  }

  private static let batch = 16_384
  private let kind: TraceKind
  private let events: Int
  private var chance: Chance

  /// Prepares to make a trace.
  public init(_ kind: TraceKind, events: Int, seed: UInt64 = 1) {
    self.kind = kind
    self.events = events
    chance = Chance(seed: seed)
  }

  /// Writes the trace.
  ///
  /// - Parameter measuresEntropy: whether to count how often each gap and each payload's step
  ///   occurs, which costs more than all else.
  public mutating func write(to path: String, measuresEntropy: Bool = false) throws -> Cost {
    let writer = try TraceWriter(creating: path, header: header)
    if kind == .program { return try writeProgram(writer) }
    try writer.append(definitions: definitions)
    var batch = RecordBatch(capacity: Self.batch, textBytes: kind == .text ? 20 : 0)
    defer { batch.deallocate() }
    var entropy = Floor()
    var took: UInt64 = 0
    var done = 0
    while done < events {
      let count = min(Self.batch, events - done)
      fill(&batch, from: done, count: count)
      if measuresEntropy { entropy.add(batch, count: count) }
      let began = CPUClock.thread.now
      try writer.append(
        records: batch.bytes(of: count), ring: 1, firstSequence: UInt64(done) + 1)
      took += CPUClock.thread.now - began
      done += count
    }
    try writer.finish(ending: .clean)
    return Cost(
      writerNanoseconds: Double(took) / Double(max(events, 1)), bytes: writer.bytes,
      entropyPerEvent: kind == .random ? entropy.ticks + 8 : entropy.ticks + entropy.words)
  }

  private mutating func writeProgram(_ writer: TraceWriter) throws -> Cost {
    try writer.append(definitions: ProgramMill.definitions(born: RecordBatch.startTick))
    let began = CPUClock.thread.now
    var mill = ProgramMill(writer, events: events, from: RecordBatch.startTick, chance)
    try mill.run()
    try writer.finish(ending: .clean)
    return Cost(
      writerNanoseconds: Double(CPUClock.thread.now - began) / Double(max(events, 1)),
      bytes: writer.bytes, entropyPerEvent: 0)
  }

  private mutating func fill(_ batch: inout RecordBatch, from start: Int, count: Int) {
    let streams = kind.streams
    let phase = max(1, (events + streams - 1) / streams)
    for index in 0..<count {
      let number = start + index
      let stream = kind == .phases ? number / phase : number % streams
      let gap = kind.gap.map { chance.gap(mean: $0) } ?? chance.steps()
      let word = kind == .random ? chance.next() : UInt64(number)
      batch.set(
        index, sequence: UInt32(truncatingIfNeeded: number + 1), stream: UInt32(stream + 1),
        gap: gap, word: word)
    }
  }

  // MARK: - What the trace says of itself

  private var header: TraceHeader {
    // The clock's steps are those of a counter of 2.6 GHz; the gaps are nanoseconds.
    let clock: TraceClock = kind.gap == nil ? .counter(perSecond: 2_600_000_000) : .monotonic
    let start = ClockAnchor(ticks: RecordBatch.startTick, monotonic: RecordBatch.startTick)
    let process = ProcessDescription(
      program: "/usr/bin/mill", arguments: ["mill", kind.rawValue], pid: 1_000, host: "mill",
      started: 1_700_000_000_000_000_000)
    return TraceHeader(
      id: TraceID(low: 0x6d69_6c6c, high: UInt64(events)), process: process, clock: clock,
      anchor: start)
  }

  private var definitions: [TraceDefinition] {
    let streams = (0..<kind.streams).map { number in
      TraceDefinition.stream(
        StreamDefinition(
          id: UInt32(number + 1), name: "w.\(number)", derivation: "pipe@Mill.swift:\(number + 1)",
          operation: "pipe", parents: [], place: nil,
          valueType: kind == .text ? "String" : "Int", born: RecordBatch.startTick))
    }
    return streams + [.thread(ThreadDefinition(ring: 1, systemID: 1_000, name: "main"))]
  }
}

/// The entropy of what the batches hold.
private struct Floor {
  private var gaps = Entropy()
  private var steps = Entropy()
  private var last: (tick: UInt64, word: UInt64) = (RecordBatch.startTick, 0)

  var ticks: Double { gaps.bytes }
  var words: Double { steps.bytes }

  mutating func add(_ batch: RecordBatch, count: Int) {
    for index in 0..<count {
      let (tick, word) = (batch.tick(index), batch.word(index))
      gaps.add(tick &- last.tick)
      // Random words are what they are: eight bytes.
      steps.add(min(word &- last.word, 1 << 16))
      last = (tick, word)
    }
  }
}
