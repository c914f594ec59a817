package import VarveFormat

/// The limits of one analysis that walks over a trace: how much it may remember, how far it may go,
/// and what it passed over.
///
/// A file need not come from a recorded program. A hundred bytes of it can stand for sixteen
/// thousand events, any number of its blocks can overlap, and its streams can lead to each other in
/// circles. So an analysis keeps what it remembers in a `WalkTable`, or takes memory from the walk;
/// it asks before it follows a link and before it decodes a block again. What the walk refuses is
/// passed over and counted. The trace of a real program does not come near any of these limits.
///
/// Safety: a walk belongs to one analysis and changes only while that analysis reads the trace.
/// Afterwards it is only read.
@usableFromInline
package final class TraceWalk: @unchecked Sendable {
  /// What was passed over because it would have taken too much memory.
  package private(set) var passedOver = PassedOver()
  /// The errors for which blocks, or parts of them, were passed over.
  package private(set) var damage: [TraceFileError] = []

  private var memory: Int
  private var steps: Int
  private var repeats: UInt64
  private var undefinedStreams = 0
  private var damagedBlocks: Set<Int> = []

  /// The smallest memory limit, in bytes …
  private static let leastMemory: UInt64 = 32 << 20
  /// … and the limit for each byte of the file, in bytes. Whatever a program does takes more of
  /// its file than a thirty-second of the memory needed to remember it, or is small anyway.
  private static let bytesPerByte: UInt64 = 32
  /// The smallest number of events that may be decoded again …
  static let leastRepeats: UInt64 = 1 << 24
  /// … and the additional number for each byte of the file. A thousand threads with a full block
  /// each at the same time stay far below it.
  private static let repeatsPerByte: UInt64 = 1_024
  /// The cost of reading and checking a block, in events.
  private static let leastOfBlock = 1_024
  /// The number of steps that may be taken along links.
  static let leastSteps = 1 << 24
  /// The number of streams not defined in the trace that are kept apart.
  private static let mostUndefined = 65_536

  /// Creates a walk over a trace, as one of `sharers` walks whose results are needed together.
  package convenience init(_ source: some EventSource, sharers: UInt64 = 1) {
    self.init(bytes: source.bytes, sharers: sharers)
  }

  /// Creates a walk along the links between the given number of streams, with a hundred steps for
  /// each.
  convenience init(streams: Int) { self.init(steps: Self.leastSteps + 100 * streams) }

  /// Creates a walk over a file of `bytes` bytes.
  init(
    bytes: UInt64 = 0, sharers: UInt64 = 1, steps: Int = leastSteps, repeats: UInt64 = leastRepeats
  ) {
    self.steps = steps
    let memory = max(Self.scaled(bytes, by: Self.bytesPerByte), Self.leastMemory)
    self.memory = Int(min(memory / sharers, UInt64(Int.max)))
    let all = Self.scaled(bytes, by: Self.repeatsPerByte).addingReportingOverflow(repeats)
    self.repeats = all.overflow ? .max : all.partialValue
  }

  private static func scaled(_ bytes: UInt64, by factor: UInt64) -> UInt64 {
    let scaled = bytes.multipliedReportingOverflow(by: factor)
    return scaled.overflow ? .max : scaled.partialValue
  }

  // MARK: - Memory

  /// Takes memory; returns false and takes none when less than `bytes` bytes are left.
  @usableFromInline
  package func take(_ bytes: Int) -> Bool {
    guard bytes <= memory else { return false }
    memory -= bytes
    return true
  }

  /// Takes memory; returns false and counts one `part` as passed over when less than `bytes` bytes
  /// are left.
  @usableFromInline
  package func take(_ bytes: Int, or part: PassedOver.Part) -> Bool {
    if take(bytes) { return true }
    passOver(part)
    return false
  }

  /// Returns memory taken for something that is no longer remembered, in bytes.
  package func giveBack(_ bytes: Int) { memory += bytes }

  /// Admits one more stream that the trace does not define. When there are too many, returns false
  /// and counts an event of such a stream as passed over.
  func admitUndefinedStream() -> Bool {
    guard undefinedStreams < Self.mostUndefined else {
      passOver(.ofStreams)
      return false
    }
    undefinedStreams += 1
    return true
  }

  // MARK: - Time

  /// Whether there are no steps left.
  var isOutOfSteps: Bool { steps == 0 }

  /// Takes a step along a link, or `count` steps for work that takes as long; returns false when
  /// too few are left.
  func step(_ count: Int = 1) -> Bool {
    guard steps >= count else {
      steps = 0
      return false
    }
    steps -= count
    return true
  }

  /// Allows a block of `events` events to be decoded again; returns false when the limit is
  /// reached.
  func mayRepeat(_ events: Int) -> Bool {
    let cost = UInt64(max(events, Self.leastOfBlock))
    guard cost <= repeats else { return false }
    repeats -= cost
    return true
  }

  // MARK: - What was passed over

  /// Counts something as passed over.
  package func passOver(_ part: PassedOver.Part, count: Int = 1) {
    passedOver[part] += UInt64(count)
  }

  /// Records why a block, or some of its events, were passed over.
  func passOver(_ error: TraceFileError) { damage.append(error) }

  /// Records, once per block, that a block cannot be read.
  func passOver(block: Int, _ error: TraceFileError) {
    if damagedBlocks.insert(block).inserted { damage.append(error) }
  }
}

/// Memory for things of one size that come and go: the room of a removed one serves the next.
package struct WalkRoom: Sendable {
  private let walk: TraceWalk
  private let bytes: Int
  private var most = 0

  /// Creates room for things of `bytes` bytes each.
  package init(_ walk: TraceWalk, bytes: Int) {
    self.walk = walk
    self.bytes = bytes
  }

  /// Makes room for `count` things at a time; returns false when there is no memory.
  package mutating func hold(_ count: Int) -> Bool {
    guard count > most else { return true }
    guard walk.take(bytes * (count - most)) else { return false }
    most = count
    return true
  }
}
