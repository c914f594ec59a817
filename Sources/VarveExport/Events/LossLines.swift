internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// The losses that become lines of their own between the events, in the order of their starts.
struct LossLines {
  private struct Run: Hashable {
    var ring: UInt32
    var first: UInt64
    var reason: TraceLoss.Reason

    init(_ loss: TraceLoss) {
      (ring, first, reason) = (loss.ring, loss.ticks.lowerBound, loss.reason)
    }
  }

  private var pending: ArraySlice<TraceLoss>
  /// The number of events of each run of losses that was reported before.
  private var told: [Run: UInt64] = [:]
  /// Whether only losses between the shown events are of interest.
  private let startsAtEvent: Bool
  private let endsAtEvent: Bool
  private var hasStarted = false

  /// The tick from which on an event has a loss before it.
  private(set) var next: UInt64

  /// Takes the losses of a source, or those that a filter selects.
  init(_ source: some EventSource, _ filter: EventFilter?) {
    pending = (filter?.losses ?? source.losses)[...]
    startsAtEvent = filter?.isTail ?? false
    endsAtEvent = filter?.isHead ?? false
    next = pending.first?.ticks.lowerBound ?? .max
  }

  /// Returns the losses that begin no later than an event, and passes on to the next.
  mutating func take(before tick: UInt64) -> [TraceLoss] {
    let due = pending.prefix { $0.ticks.lowerBound <= tick }
    pending = pending[due.endIndex...]
    next = pending.first?.ticks.lowerBound ?? .max
    defer { hasStarted = true }
    let isBeforeAll = startsAtEvent && !hasStarted
    return due.filter { (!isBeforeAll || $0.ticks.upperBound >= tick) && tell($0) }
  }

  /// Returns the losses after the last event.
  mutating func takeRest() -> [TraceLoss] {
    defer { (pending, next) = ([], .max) }
    return endsAtEvent ? [] : pending.filter { tell($0) }
  }

  /// Continues after the lines of another part of the same trace.
  mutating func goOn(after other: LossLines) { told = other.told }

  /// Returns whether a loss is new, or has grown since it was reported.
  private mutating func tell(_ loss: TraceLoss) -> Bool {
    guard told[Run(loss)] ?? 0 < loss.count else { return false }
    told[Run(loss)] = loss.count
    return true
  }
}

extension TraceLoss.Reason {
  /// The reason's name in NDJSON, CSV and SQL.
  package var name: String {
    switch self {
    case .noRoom: "noRoom"
    case .notKept: "notKept"
    case .notDefined: "notDefined"
    case .damaged: "damaged"
    }
  }
}

/// The length that a value had before it was recorded, where that is more than what was kept.
enum CutValue {
  /// Returns the length in bytes; nil if the value is whole.
  static func bytes(payload: UInt8, word: UInt64, kept: Int) -> UInt64? {
    switch PayloadKind(rawValue: payload) {
    case .string, .bytes, .description: word > UInt64(kept) ? word : nil
    case .absent, .unit, .null, .integer, .unsigned, .real, .boolean, .typeOnly, .withheld, .stream,
      .reason, .cause, .task, .awaited, .made, nil:
      nil
    }
  }
}

extension EventPayload {
  /// The length of the value in bytes, if only a part of it was recorded.
  var cutBytes: UInt64? {
    kind.flatMap { CutValue.bytes(payload: $0.rawValue, word: word, kept: bytes.count) }
  }
}
