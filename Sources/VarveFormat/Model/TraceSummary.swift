internal import VarveProbe

/// What a block's header tells without inflating anything.
public struct BlockSummary: Sendable {
  /// Position of the block's header in the file; for events that still lie in the sidecar's rings,
  /// nil.
  public var offset: UInt64?
  /// Size in the file, header included.
  public var storedBytes: UInt64
  /// The thread incarnation that wrote the events.
  public var ring: UInt32
  /// How many events.
  public var count: Int
  /// Number of the first event in its ring.
  public var firstSequence: UInt64
  /// When the first and the last happened, in ticks.
  public var ticks: ClosedRange<UInt64>
  /// Which streams occur; schedulers, which hops are about, are not in it.
  public var streams: StreamSet
  /// Which kinds of records occur.
  public var kinds: KindSet

  /// What the event at an index is called.
  public func name(_ index: Int) -> EventName {
    EventName(ring: ring, sequence: firstSequence + UInt64(index))
  }

  /// Where in the block an event lies; nil when it lies elsewhere.
  public func index(of event: EventName) -> Int? {
    guard event.ring == ring, event.sequence >= firstSequence,
      event.sequence - firstSequence < UInt64(count)
    else { return nil }
    return Int(event.sequence - firstSequence)
  }
}

/// A set of stream ids that may hold more than was put in, never less.
public struct StreamSet: Sendable, Hashable {
  /// 1024 bits: bit `stream % 1024` is set for each stream in the set.
  public var words: [UInt64]

  /// An empty set.
  public init() { words = Array(repeating: 0, count: 16) }

  /// Adds a stream.
  public mutating func insert(_ stream: UInt32) {
    words[Int(stream >> 6 & 15)] |= 1 << UInt64(stream & 63)
  }

  /// Whether the stream may be in the set.
  public func mayContain(_ stream: UInt32) -> Bool {
    words[Int(stream >> 6 & 15)] & 1 << UInt64(stream & 63) != 0
  }

  /// Whether some stream may be in both sets.
  public func mayIntersect(_ other: StreamSet) -> Bool {
    for index in 0..<16 where words[index] & other.words[index] != 0 { return true }
    return false
  }
}

/// A set of record kinds (`RecordKind.rawValue`) that may hold more than was put in, never less.
public struct KindSet: Sendable, Hashable {
  /// Bit `kind % 64` is set for each kind in the set.
  public var bits: UInt64

  /// Creates a set from its bits.
  public init(bits: UInt64 = 0) { self.bits = bits }

  /// Adds a kind.
  public mutating func insert(_ kind: UInt8) { bits |= 1 << UInt64(kind & 63) }

  /// Whether the kind may be in the set.
  public func mayContain(_ kind: UInt8) -> Bool { bits & 1 << UInt64(kind & 63) != 0 }

  /// Whether some kind may be in both sets.
  public func mayIntersect(_ other: KindSet) -> Bool { bits & other.bits != 0 }
}

extension RecordKind {
  /// Whether records of a kind (a raw value) are about a scheduler instead of a stream.
  static func isHop(_ kind: UInt8) -> Bool {
    switch RecordKind(rawValue: kind) {
    case .hopScheduled, .hopBegan, .hopEnded, .hopCancelled: true
    case .assembled, .subscribed, .ended, .value, .failed, .completed, .interrupted, .absorbed,
      .log, .mark, .skipped, nil:
      false
    }
  }
}

/// The thread incarnation behind a ring.
public struct ThreadDefinition: Sendable, Hashable {
  /// The ring's id, from 1.
  public var ring: UInt32
  /// The system's id of the thread.
  public var systemID: UInt64
  /// The thread's name, or an empty string.
  public var name: String

  /// Creates a definition.
  public init(ring: UInt32, systemID: UInt64, name: String) {
    self.ring = ring
    self.systemID = systemID
    self.name = name
  }
}

/// The program that was recorded.
public struct ProcessDescription: Sendable, Hashable {
  /// Path of the executable.
  public var program: String
  /// Its arguments, the program's name first.
  public var arguments: [String]
  /// Process id.
  public var pid: UInt32
  /// The machine's name.
  public var host: String
  /// When the recording began: nanoseconds since 1970, UTC.
  public var started: UInt64

  /// Creates a description.
  public init(program: String, arguments: [String], pid: UInt32, host: String, started: UInt64) {
    self.program = program
    self.arguments = arguments
    self.pid = pid
    self.host = host
    self.started = started
  }
}

/// How a recording ended.
public enum TraceEnding: Sendable, Hashable {
  /// The recorder was stopped, or the program exited.
  case clean
  /// The program's own signal handler or `varve run` saw it die of a signal.
  case crashed(signal: Int32, ring: UInt32?, programCounter: UInt64?)
  /// The program is gone and left no word of how.
  case killed
  /// The program still runs and records.
  case running
}

/// Events, or definitions, that are missing, and where.
public struct TraceLoss: Sendable, Hashable {
  /// Why events are missing.
  public enum Reason: UInt8, Sendable, CaseIterable {
    /// They came faster than they could be written, or could not be written at all.
    case noRoom = 0
    /// They were recorded and not kept: a flight recorder keeps the last ones, or somebody has
    /// removed the file that they were in.
    case notKept = 1
    /// No events but definitions: there was no room for them while the file could not be written.
    /// Events may bear numbers of streams, schedulers and stacks that nothing defines.
    case notDefined = 2
  }

  /// The thread incarnation that lost them.
  public var ring: UInt32
  /// How many.
  public var count: UInt64
  /// When the first and the last of them were lost, in ticks.
  public var ticks: ClosedRange<UInt64>
  /// Why.
  public var reason: Reason

  /// Creates a loss.
  public init(
    ring: UInt32, count: UInt64, ticks: ClosedRange<UInt64>, reason: Reason = .noRoom
  ) {
    self.ring = ring
    self.count = count
    self.ticks = ticks
    self.reason = reason
  }
}

/// A part of a file that could not be read.
public struct TraceDamage: Sendable, Hashable {
  /// Where it begins.
  public var offset: UInt64
  /// How many bytes were passed over.
  public var bytes: UInt64
  /// What is wrong with it.
  public var reason: String

  /// Creates a damage.
  public init(offset: UInt64, bytes: UInt64, reason: String) {
    self.offset = offset
    self.bytes = bytes
    self.reason = reason
  }
}

/// Pairs of counter and clock: they turn ticks into time.
public struct ClockAnchor: Sendable, Hashable {
  /// The counter.
  public var ticks: UInt64
  /// The monotonic clock at that moment, in nanoseconds.
  public var monotonic: UInt64

  /// Creates a pair.
  public init(ticks: UInt64, monotonic: UInt64) {
    self.ticks = ticks
    self.monotonic = monotonic
  }
}
