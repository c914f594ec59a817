public import VarveFormat
internal import VarveProbe

/// Two runs side by side: what their streams of the same name delivered, first with first, second
/// with second.
///
/// Times, threads and numbers of events differ from run to run and are not compared; values, failures
/// and ends are.
public struct TraceComparison {
  /// Where two streams of one name part.
  public struct Divergence: Sendable, Hashable {
    /// The stream's name.
    public var name: String
    /// Which of its events, from 1.
    public var ordinal: Int
    /// The event in the first trace; nil when that stream had ended before.
    public var left: UInt64?
    /// The event in the second trace.
    public var right: UInt64?
    /// How many events it delivered in the first trace.
    public var leftCount: Int
    /// How many in the second.
    public var rightCount: Int
  }

  /// Names of streams that delivered the same in both, however many of them there are.
  public private(set) var same = 0
  /// Where the others part, the earliest first.
  public private(set) var divergences: [Divergence] = []
  /// Names of streams that delivered something in the first trace and do not exist in the second.
  public private(set) var onlyLeft: [String] = []
  /// The other way round.
  public private(set) var onlyRight: [String] = []
  /// Damaged blocks that were passed over, in the first trace and in the second.
  public private(set) var damage: ([TraceFileError], [TraceFileError]) = ([], [])

  /// Compares two traces.
  ///
  /// - Throws: a `SelectionError` whenever a selection names an event that is not there.
  public init(
    _ left: TraceReader, _ leftSelection: Selection, _ right: TraceReader,
    _ rightSelection: Selection
  ) throws(SelectionError) {
    let (one, other) = (
      try Deliveries(left, leftSelection), try Deliveries(right, rightSelection)
    )
    damage = (one.damage, other.damage)
    for (name, mine) in one.byName {
      guard let theirs = other.byName[name] else {
        onlyLeft.append(name)
        continue
      }
      if let found = Self.divergence(name, mine, theirs) {
        divergences.append(found)
      } else {
        same += 1
      }
    }
    onlyRight = other.byName.keys.filter { one.byName[$0] == nil }.sorted()
    onlyLeft.sort()
    let (leftEvents, rightEvents) = (EventLookup(left), EventLookup(right))
    func time(_ divergence: Divergence) -> Int64 {
      let moment = divergence.left.flatMap { leftEvents[$0] }.map {
        left.nanoseconds(sinceStart: $0.ticks)
      }
      let other = divergence.right.flatMap { rightEvents[$0] }.map {
        right.nanoseconds(sinceStart: $0.ticks)
      }
      return moment ?? other ?? .max
    }
    divergences = divergences.map { ($0, time($0)) }
      .sorted { ($0.1, $0.0.name) < ($1.1, $1.0.name) }.map(\.0)
  }

  /// Whether both delivered the same.
  public var isSame: Bool { divergences.isEmpty && onlyLeft.isEmpty && onlyRight.isEmpty }

  private static func divergence(
    _ name: String, _ mine: [Deliveries.Entry], _ theirs: [Deliveries.Entry]
  ) -> Divergence? {
    let shared = min(mine.count, theirs.count)
    let first = (0..<shared).first { mine[$0].content != theirs[$0].content }
    guard first != nil || mine.count != theirs.count else { return nil }
    let index = first ?? shared
    return Divergence(
      name: name, ordinal: index + 1, left: index < mine.count ? mine[index].number : nil,
      right: index < theirs.count ? theirs[index].number : nil, leftCount: mine.count,
      rightCount: theirs.count)
  }
}

/// What the streams of a trace delivered, by their names.
private struct Deliveries {
  struct Entry {
    var number: UInt64
    /// A digest of kind and payload.
    var content: UInt64
  }

  private(set) var byName: [String: [Entry]] = [:]
  private(set) var damage: [TraceFileError] = []

  init(_ reader: TraceReader, _ selection: Selection) throws(SelectionError) {
    var selection = selection
    selection.kinds = KindSelection([.value, .failed, .completed, .interrupted])
    var query = try EventQuery(selection, in: reader, columns: [.kinds, .streams, .payloads])
    let names = reader.definitions.streams.mapValues(\.name)
    var slots: [UInt32: [Entry]] = [:]
    query.run { page in
      page.forEach { batch, index in
        slots[batch.columns.streams[index], default: []].append(
          Entry(
            number: batch.columns.firstEvent + UInt64(index),
            content: Self.digest(batch.columns, index)))
      }
      return true
    }
    damage = query.damage
    // Streams of one name are one: their events in the order of their times.
    for (name, streams) in Dictionary(grouping: slots.keys, by: { names[$0] ?? "stream \($0)" }) {
      let entries = streams.flatMap { slots[$0] ?? [] }
      byName[name] = streams.count == 1 ? entries : Self.ordered(entries, in: reader)
    }
  }

  private static func ordered(_ entries: [Entry], in reader: TraceReader) -> [Entry] {
    let lookup = EventLookup(reader)
    return entries.map { ($0, lookup[$0.number]?.ticks ?? 0) }
      .sorted { ($0.1, $0.0.number) < ($1.1, $1.0.number) }.map(\.0)
  }

  /// FNV-1a over kind, payload kind, word and text.
  private static func digest(_ columns: borrowing EventColumns, _ index: Int) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    add(columns.kinds[index])
    add(columns.payloadKinds[index])
    let word = columns.words[index]
    for shift in stride(from: 0, to: 64, by: 8) {
      add(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
    }
    let end = min(Int(columns.textStarts[index + 1]), columns.heap.count)
    for position in min(Int(columns.textStarts[index]), end)..<end { add(columns.heap[position]) }
    return hash
  }
}
