internal import CSQLite
internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// A condition on a column that SQLite hands down to a virtual table.
struct HandedCondition {
  enum Comparison: UInt8 {
    case equal = 61
    case among, below, atMost, above, atLeast, glob, like
  }

  var column: EventColumn
  var comparison: Comparison

  /// The condition of a constraint; nil if reading less does not follow from it.
  init?(column: Int32, operation: UInt8) {
    guard let column = EventColumn(rawValue: column) else { return nil }
    let isText =
      switch column {
      case .name, .place, .operation, .thread: true
      default: false
      }
    switch Int32(operation) {
    case SQLITE_INDEX_CONSTRAINT_EQ: comparison = .equal
    case SQLITE_INDEX_CONSTRAINT_GLOB where isText: comparison = .glob
    case SQLITE_INDEX_CONSTRAINT_LIKE where isText: comparison = .like
    case SQLITE_INDEX_CONSTRAINT_LT where column == .time: comparison = .below
    case SQLITE_INDEX_CONSTRAINT_LE where column == .time: comparison = .atMost
    case SQLITE_INDEX_CONSTRAINT_GT where column == .time: comparison = .above
    case SQLITE_INDEX_CONSTRAINT_GE where column == .time: comparison = .atLeast
    default: return nil
    }
    switch column {
    case .id, .event, .time, .thread, .name, .kind, .place, .operation, .stream, .scheduler,
      .subscription:
      self.column = column
    case .value, .type, .reason, .cause, .causeID, .bytes, .truncated: return nil
    }
  }

  /// The two characters with which it is passed on.
  var code: [UInt8] { [UInt8(65 + column.rawValue), comparison.rawValue] }

  init?(code: (UInt8, UInt8)) {
    guard let column = EventColumn(rawValue: Int32(code.0) - 65),
      let comparison = Comparison(rawValue: code.1)
    else { return nil }
    self.column = column
    self.comparison = comparison
  }

  /// What part of all events are left, as far as can be guessed.
  var share: Double {
    switch column {
    case .id, .event: 1e-9
    case .time: 0.25
    case .kind, .thread, .scheduler: 0.3
    case .name, .place, .operation, .stream: 0.1
    default: 1
    }
  }
}

/// The events that conditions leave, and perhaps more: SQLite tests every condition itself.
enum WantedEvents {
  case nothing
  case one(EventName)
  case some(Selection)

  init(_ conditions: [(HandedCondition, OpaquePointer)], in trace: QueriedTrace)
    throws(SelectionError)
  {
    var choice = Choice(trace)
    for (condition, value) in conditions {
      guard try choice.add(condition, value) else {
        self = .nothing
        return
      }
    }
    self = choice.one.map { .one($0) } ?? .some(choice.selection)
  }

  private struct Choice {
    let trace: QueriedTrace
    var one: EventName?
    private var streams: Set<UInt32>?
    private var kinds: Set<RecordKind>?
    private var rest: Selection
    private var (since, until): (UInt64, UInt64?) = (0, nil)

    init(_ trace: QueriedTrace) {
      self.trace = trace
      rest = trace.selection
    }

    /// The selection of what may be wanted. What flags chose is narrowed only where both together are
    /// one selection.
    var selection: Selection {
      var selection = rest
      if let streams { selection.streams = selection.streams?.intersection(streams) ?? streams }
      if let kinds, rest.kinds.isAll { selection.kinds = KindSelection(kinds) }
      if since > 0, rest.since == nil { selection.since = .sinceStart(since) }
      if let until, rest.until == nil { selection.until = .sinceStart(until) }
      return selection
    }

    /// Adds a condition; returns false when no event meets it.
    mutating func add(
      _ condition: HandedCondition, _ value: OpaquePointer
    ) throws(SelectionError) -> Bool {
      let type = sqlite3_value_type(value)
      if type == SQLITE_NULL, condition.comparison != .among { return false }
      switch condition.column {
      case .id:
        guard type == SQLITE_INTEGER else { return true }
        one = trace.tables.numbers.event(sqlite3_value_int64(value))
        return one != nil
      case .event:
        guard type == SQLITE_TEXT else { return false }
        one = EventName(Self.text(value))
        return one != nil
      case .time: limit(condition.comparison, value, type)
      case .kind: return choose(kinds: Self.texts(condition, value))
      case .scheduler:
        return choose(kinds: ["hopScheduled", "hopBegan", "hopEnded", "hopCancelled"])
      case .stream:
        guard type == SQLITE_INTEGER, let id = UInt32(exactly: sqlite3_value_int64(value)),
          trace.reader.definitions.streams[id] != nil
        else { return true }
        return choose(streams: [id])
      case .name, .place, .operation:
        return choose(streams: matching(condition, Self.text(value)))
      case .thread: return try choose(thread: condition, Self.text(value))
      case .subscription:
        guard type == SQLITE_INTEGER else { return true }
        let number = UInt64(bitPattern: sqlite3_value_int64(value))
        if number != 0, rest.subscriptions.isEmpty { rest.subscriptions = [number] }
      default: break
      }
      return true
    }

    private static func text(_ value: OpaquePointer) -> String {
      sqlite3_value_text(value).map { String(cString: $0) } ?? ""
    }

    private static func texts(_ condition: HandedCondition, _ list: OpaquePointer) -> [String] {
      guard condition.comparison == .among else { return [text(list)] }
      var texts: [String] = []
      var next = varve_first_in(list)
      while let one = next {
        texts.append(text(one))
        next = varve_next_in(list)
      }
      return texts
    }

    /// Ticks are coarser than nanoseconds or finer, so a limit is taken a little wider.
    private mutating func limit(
      _ comparison: HandedCondition.Comparison, _ value: OpaquePointer, _ type: Int32
    ) {
      guard type == SQLITE_INTEGER || type == SQLITE_FLOAT else { return }
      let time = sqlite3_value_double(value)
      guard time > 1, time < 9e18 else { return }
      let margin = 1 + time * 1e-15
      let (lower, upper) = (UInt64(time - margin), UInt64(time + margin) + 1)
      switch comparison {
      case .above, .atLeast: since = max(since, lower)
      case .below, .atMost: until = min(until ?? upper, upper)
      default:
        since = max(since, lower)
        until = min(until ?? upper, upper)
      }
    }

    private mutating func choose(streams wanted: Set<UInt32>) -> Bool {
      streams = streams?.intersection(wanted) ?? wanted
      return streams?.isEmpty == false
    }

    private mutating func choose(kinds names: [String]) -> Bool {
      let wanted = RecordKind.allCases.filter { names.contains($0.name) }
      // A kind of a newer version has a name too.
      guard Set(wanted.map(\.name)).isSuperset(of: names.filter { !$0.hasPrefix("kind") }) else {
        return !wanted.isEmpty && choose(only: wanted)
      }
      return names.contains { $0.hasPrefix("kind") } || choose(only: wanted)
    }

    private mutating func choose(only wanted: [RecordKind]) -> Bool {
      kinds = kinds?.intersection(wanted) ?? Set(wanted)
      return kinds?.isEmpty == false
    }

    private func matching(_ condition: HandedCondition, _ pattern: String) -> Set<UInt32> {
      let streams = trace.reader.definitions.streams.values.filter { stream in
        let text =
          switch condition.column {
          case .name: stream.name
          case .place: trace.tables.place(of: stream.id)
          default: stream.operation
          }
        return text.map { Self.matches($0, condition, pattern) } ?? false
      }
      return Set(streams.map(\.id))
    }

    private static func matches(
      _ text: String, _ condition: HandedCondition, _ pattern: String
    ) -> Bool {
      switch condition.comparison {
      case .glob: sqlite3_strglob(pattern, text) == 0
      case .like: sqlite3_strlike(pattern, text, 0) == 0
      default: text == pattern
      }
    }

    /// The number of threads up to which they are chosen before events are read.
    private static let mostThreads = 64

    private mutating func choose(
      thread condition: HandedCondition, _ pattern: String
    ) throws(SelectionError) -> Bool {
      let rings = trace.tables.numbers.rings.values.filter {
        Self.matches(trace.tables.threads[$0], condition, pattern)
      }
      let areDefined = rings.allSatisfy { trace.reader.definitions.threads[$0] != nil }
      guard areDefined, rings.count <= Self.mostThreads else { return true }
      if rest.threads.isEmpty {
        for ring in rings { rest.threads.append(try NamePattern(EventName.thread(ring))) }
      }
      return !rings.isEmpty
    }
  }
}
