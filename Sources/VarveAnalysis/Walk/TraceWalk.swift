package import VarveFormat

/// One analysis' walk over a trace: how much it may remember and how far it may go, and what it passed
/// over.
///
/// A file need not come from a program that was recorded. A hundred bytes of it can stand for sixteen
/// thousand events, any number of its blocks can overlap, and its streams can lead to each other in
/// circles. So an analysis keeps what it remembers until its end in a `WalkTable`, or takes memory for
/// it; it asks before it follows a way, and before it decodes a block once more. What the walk refuses
/// is passed over, and counted. The trace of a program does not come near any of these limits.
///
/// Safety: a walk belongs to one analysis and changes only while that looks at the trace. Later on it
/// is only read.
package final class TraceWalk: @unchecked Sendable {
  /// What was passed over because there was too much of it to remember.
  package private(set) var passedOver = PassedOver()
  /// Why blocks were passed over, or parts of them.
  package private(set) var damage: [TraceFileError] = []

  private var memory: Int
  private var steps: Int
  private var repeats: UInt64
  private var undefinedStreams = 0
  private var damagedBlocks: Set<Int> = []

  /// So many bytes are remembered at least …
  private static let leastMemory: UInt64 = 32 << 20
  /// … or so many for each byte of the file. What a program does takes more of its file than a
  /// thirty-second part of what it takes to remember it, or is little.
  private static let bytesPerByte: UInt64 = 32
  /// So many events may be decoded once more at least …
  static let leastRepeats: UInt64 = 1 << 24
  /// … and so many more for each byte of the file. A thousand threads with a full block each at one
  /// time stay far below that.
  private static let repeatsPerByte: UInt64 = 1_024
  /// What it costs to read and check a block, in events.
  private static let leastOfBlock = 1_024
  /// So many steps may be taken along what hangs together.
  static let leastSteps = 1 << 24
  /// So many streams that the trace does not define are told apart.
  private static let mostUndefined = 65_536

  /// A walk over a trace; one of `sharers` whose results are needed together.
  package convenience init(_ source: some EventSource, sharers: UInt64 = 1) {
    self.init(bytes: source.bytes, sharers: sharers)
  }

  /// A walk along the ways between so many streams: of those that follow each other, a hundred may be
  /// between two that are looked at.
  convenience init(streams: Int) { self.init(steps: Self.leastSteps + 100 * streams) }

  /// A walk over a file of so many bytes.
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

  /// Takes so many bytes; returns false, and takes none, when there are not as many left.
  package func take(_ bytes: Int) -> Bool {
    guard bytes <= memory else { return false }
    memory -= bytes
    return true
  }

  /// Takes so many bytes; counts what is passed over when there are not as many left.
  package func take(_ bytes: Int, or part: PassedOver.Part) -> Bool {
    if take(bytes) { return true }
    passOver(part)
    return false
  }

  /// Gives back so many bytes that were taken, of what is remembered no more.
  package func giveBack(_ bytes: Int) { memory += bytes }

  /// Lets one more stream be told apart that the trace does not define. Counts an event of it when
  /// there are too many.
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

  /// Takes a step from one thing to what hangs together with it, or what takes as long as some;
  /// returns false when none are left.
  func step(_ count: Int = 1) -> Bool {
    guard steps >= count else {
      steps = 0
      return false
    }
    steps -= count
    return true
  }

  /// Lets a block of so many events be decoded once more; returns false when they are too many.
  func mayRepeat(_ events: Int) -> Bool {
    let cost = UInt64(max(events, Self.leastOfBlock))
    guard cost <= repeats else { return false }
    repeats -= cost
    return true
  }

  // MARK: - What was passed over

  /// Counts what was passed over.
  package func passOver(_ part: PassedOver.Part, count: Int = 1) {
    passedOver[part] += UInt64(count)
  }

  /// Notes why a block, or some of its events, were passed over.
  func passOver(_ error: TraceFileError) { damage.append(error) }

  /// Notes, once, that a block cannot be read.
  func passOver(block: Int, _ error: TraceFileError) {
    if damagedBlocks.insert(block).inserted { damage.append(error) }
  }
}

/// Memory for things of one size that come and go: what has gone leaves its place to the next.
package struct WalkRoom: Sendable {
  private let walk: TraceWalk
  private let bytes: Int
  private var most = 0

  /// Room for things of so many bytes each.
  package init(_ walk: TraceWalk, bytes: Int) {
    self.walk = walk
    self.bytes = bytes
  }

  /// Lets there be `count` of them at a time; returns false when there is no memory.
  package mutating func hold(_ count: Int) -> Bool {
    guard count > most else { return true }
    guard walk.take(bytes * (count - most)) else { return false }
    most = count
    return true
  }
}
