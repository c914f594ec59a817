internal import VarveProbe

/// The summary in a block's header, which is read without inflating anything.
public struct BlockSummary: Sendable {
  /// The position of the block's header in the file; nil for events that are still in the sidecar's
  /// rings.
  public var offset: UInt64?
  /// The size in the file, including the header.
  public var storedBytes: UInt64
  /// The thread incarnation that wrote the events.
  public var ring: UInt32
  /// The number of events.
  public var count: Int
  /// The number of the first event in its ring.
  public var firstSequence: UInt64
  /// The ticks of the first and the last event.
  public var ticks: ClosedRange<UInt64>
  /// The streams that occur, without the schedulers that hops refer to.
  public var streams: StreamSet
  /// The kinds of records that occur.
  public var kinds: KindSet

  /// Returns the name of the event at an index.
  public func name(_ index: Int) -> EventName {
    EventName(ring: ring, sequence: firstSequence + UInt64(index))
  }

  /// Returns the index of an event in the block; nil if it is not in it.
  public func index(of event: EventName) -> Int? {
    guard event.ring == ring, event.sequence >= firstSequence,
      event.sequence - firstSequence < UInt64(count)
    else { return nil }
    return Int(event.sequence - firstSequence)
  }
}

/// A set of stream IDs that may contain more than was inserted, but never less.
public struct StreamSet: Sendable, Hashable {
  /// 1024 bits: bit `stream % 1024` is set for each stream in the set.
  public var words: [UInt64]

  /// Creates an empty set.
  public init() { words = Array(repeating: 0, count: 16) }

  /// Inserts a stream.
  public mutating func insert(_ stream: UInt32) {
    words[Int(stream >> 6 & 15)] |= 1 << UInt64(stream & 63)
  }

  /// Returns whether the stream may be in the set.
  public func mayContain(_ stream: UInt32) -> Bool {
    words[Int(stream >> 6 & 15)] & 1 << UInt64(stream & 63) != 0
  }

  /// Returns whether some stream may be in both sets.
  public func mayIntersect(_ other: StreamSet) -> Bool {
    for index in 0..<16 where words[index] & other.words[index] != 0 { return true }
    return false
  }
}

/// A set of record kinds (`RecordKind.rawValue`) that may contain more than was inserted, but never
/// less.
public struct KindSet: Sendable, Hashable {
  /// Bit `kind % 64` is set for each kind in the set.
  public var bits: UInt64

  /// Creates a set from its bits.
  public init(bits: UInt64 = 0) { self.bits = bits }

  /// Inserts a kind.
  public mutating func insert(_ kind: UInt8) { bits |= 1 << UInt64(kind & 63) }

  /// Returns whether the kind may be in the set.
  public func mayContain(_ kind: UInt8) -> Bool { bits & 1 << UInt64(kind & 63) != 0 }

  /// Returns whether some kind may be in both sets.
  public func mayIntersect(_ other: KindSet) -> Bool { bits & other.bits != 0 }
}

extension RecordKind {
  /// Returns whether records of a kind (a raw value) refer to a scheduler instead of a stream.
  static func isHop(_ kind: UInt8) -> Bool {
    switch RecordKind(rawValue: kind) {
    case .hopScheduled, .hopBegan, .hopEnded, .hopCancelled: true
    case .assembled, .subscribed, .ended, .value, .failed, .completed, .interrupted, .absorbed,
      .log, .mark, .skipped, .sent, .waitBegan, .waitEnded, .read, .taskCreated,
      .taskCancelled, .taskFailed, .taskFailureRead, .hopSampled, .errorThrown, nil:
      false
    }
  }
}

/// The thread incarnation behind a ring.
public struct ThreadDefinition: Sendable, Hashable {
  /// The ring's ID, from 1.
  public var ring: UInt32
  /// The system's ID of the thread.
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
  /// The path of the executable.
  public var program: String
  /// The arguments, beginning with the program's name.
  public var arguments: [String]
  /// The process ID.
  public var pid: UInt32
  /// The machine's name.
  public var host: String
  /// The start of the recording, in nanoseconds since 1970, UTC.
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

/// The way a recording ended.
public enum TraceEnding: Sendable, Hashable {
  /// The recorder was stopped, or the program exited.
  case clean
  /// The program's own signal handler, or `varve run`, saw it die from a signal.
  case crashed(signal: Int32, ring: UInt32?, programCounter: UInt64?)
  /// The program is gone, and nothing says how it ended.
  case killed
  /// The program is still running and recording.
  case running
}

/// Missing events or definitions.
public struct TraceLoss: Sendable, Hashable {
  /// The reason for a loss.
  public enum Reason: UInt8, Sendable, CaseIterable {
    /// They came faster than they could be written, or could not be written at all.
    case noRoom = 0
    /// They were recorded but not kept: a flight recorder keeps the last ones, or the file with
    /// them was removed.
    case notKept = 1
    /// Definitions, not events: there was no room for them while the file could not be written.
    /// Events may refer to undefined streams, schedulers, and stacks.
    case notDefined = 2
    /// They were in a part of the file that cannot be read, or that was left out because of that: the numbers
    /// of the events before and after them tell.
    case damaged = 3
  }

  /// The thread incarnation that lost them.
  public var ring: UInt32
  /// The number of events or definitions lost.
  public var count: UInt64
  /// The ticks of the first and the last of them.
  public var ticks: ClosedRange<UInt64>
  /// The reason.
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
  /// The position of its first byte.
  public var offset: UInt64
  /// The number of bytes skipped.
  public var bytes: UInt64
  /// A description of what is wrong.
  public var reason: String
  /// Whether events may be missing, not only definitions and the like.
  var mayHoldEvents = true

  /// Creates a description of a damaged part.
  public init(offset: UInt64, bytes: UInt64, reason: String) {
    self.offset = offset
    self.bytes = bytes
    self.reason = reason
  }
}

/// A simultaneous reading of counter and clock; several of them convert ticks to time.
public struct ClockAnchor: Sendable, Hashable {
  /// The counter's value.
  public var ticks: UInt64
  /// The monotonic clock at that moment, in nanoseconds.
  public var monotonic: UInt64

  /// Creates an anchor.
  public init(ticks: UInt64, monotonic: UInt64) {
    self.ticks = ticks
    self.monotonic = monotonic
  }
}
