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
    /// When that was, in nanoseconds from the start.
    fileprivate var time: Int64 = .max
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
  /// What was not compared because there was too much of it to remember, in the first trace and in
  /// the second: streams are the same as far as they were compared.
  public private(set) var passedOver = (PassedOver(), PassedOver())

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
    passedOver = (one.passedOver, other.passedOver)
    for mine in one.streams {
      guard let theirs = other.stream(mine.name) else {
        if !other.mayLack(mine) { onlyLeft.append(mine.name) }
        continue
      }
      if let found = Self.divergence(mine, theirs) {
        divergences.append(found)
      } else {
        same += 1
      }
    }
    onlyRight = other.streams.filter { one.stream($0.name) == nil && !one.mayLack($0) }
      .map(\.name).sorted()
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
    for index in divergences.indices { divergences[index].time = time(divergences[index]) }
    divergences.sort { ($0.time, $0.name) < ($1.time, $1.name) }
  }

  /// Whether everything was compared.
  public var isWhole: Bool { passedOver.0 == PassedOver() && passedOver.1 == PassedOver() }

  /// Whether both delivered the same, as far as they were compared.
  public var isSame: Bool { divergences.isEmpty && onlyLeft.isEmpty && onlyRight.isEmpty }

  private static func divergence(
    _ mine: Deliveries.Stream, _ theirs: Deliveries.Stream
  ) -> Divergence? {
    let shared = min(mine.kept.count, theirs.kept.count)
    let first = (0..<shared).first { mine.kept[$0].content != theirs.kept[$0].content }
    // What is not kept may be the same.
    let isCut = [mine, theirs].contains { $0.kept.count == shared && $0.isCut }
    guard first != nil || mine.count != theirs.count && !isCut else { return nil }
    let index = first ?? shared
    return Divergence(
      name: mine.name, ordinal: index + 1,
      left: index < mine.kept.count ? mine.kept[index].number : nil,
      right: index < theirs.kept.count ? theirs.kept[index].number : nil,
      leftCount: mine.count, rightCount: theirs.count)
  }
}

/// What the streams of a trace delivered, by their names. Streams of one name are one: their events
/// in the order of their times.
private struct Deliveries {
  struct Entry {
    var number: UInt64
    /// A digest of kind and payload.
    var content: UInt64
  }

  struct Stream {
    let name: String
    let isDefined: Bool
    /// How many values and ends there were.
    var count = 0
    /// The first of them; all, unless there were too many.
    var kept: [Entry] = []

    var isCut: Bool { kept.count < count }
  }

  private(set) var streams: [Stream] = []
  private(set) var damage: [TraceFileError] = []
  private(set) var passedOver = PassedOver()

  private let definitions: [UInt32: StreamDefinition]
  private var memory: WalkMemory
  private var undefined = 0
  private var slots: [UInt32: UInt32] = [:]
  private var places: [String: UInt32] = [:]

  /// What it takes to keep an entry.
  private static let entryBytes = MemoryLayout<Entry>.stride

  init(_ reader: TraceReader, _ selection: Selection) throws(SelectionError) {
    definitions = reader.definitions.streams
    memory = WalkMemory(reader, sharers: 2)
    var selection = selection
    selection.kinds = KindSelection([.value, .failed, .completed, .interrupted])
    var query = try EventQuery(selection, in: reader, columns: [.kinds, .streams, .payloads])
    query.run { page in
      page.forEach { batch, index in note(batch.columns, index) }
      return true
    }
    damage = query.damage
  }

  /// What the streams of a name delivered; nil when they delivered nothing.
  func stream(_ name: String) -> Stream? { places[name].map { streams[Int($0)] } }

  /// Whether a stream of the other trace may have delivered something here that was passed over.
  func mayLack(_ stream: Stream) -> Bool { !stream.isDefined && passedOver.ofStreams > 0 }

  private mutating func note(_ columns: borrowing EventColumns, _ index: Int) {
    guard let slot = slot(columns.streams[index]) else { return passedOver.ofStreams += 1 }
    let position = streams[slot].count
    streams[slot].count += 1
    // What follows an event that is not kept has no place among those that are.
    guard position == streams[slot].kept.count, memory.take(Self.entryBytes) else {
      return passedOver.deliveries += 1
    }
    streams[slot].kept.append(
      Entry(
        number: columns.firstEvent + UInt64(index), content: Self.digest(columns, index)))
  }

  private mutating func slot(_ stream: UInt32) -> Int? {
    if let known = slots[stream] { return Int(known) }
    let definition = definitions[stream]
    if definition == nil {
      guard undefined < WalkMemory.mostUndefined else { return nil }
      undefined += 1
    }
    let name = definition?.name ?? "stream \(stream)"
    let place = places[name] ?? UInt32(streams.count)
    if place == streams.count {
      streams.append(Stream(name: name, isDefined: definition != nil))
      places[name] = place
    }
    slots[stream] = place
    return Int(place)
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
