internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// Rows of events that become a group of a Parquet file, in columns.
struct ParquetRows {
  private(set) var columns = Column.allCases.map { ParquetColumn($0.name, $0.kind) }
  private let words: TraceWords
  private let started: UInt64

  /// The number of rows in a group, and the size of their texts from which a group ends earlier.
  static let mostRows = 1 << 14
  static let mostBytes = 2 << 20

  private enum Column: Int, CaseIterable {
    case event, moment, time, thread, name, stream, operation, subscription, kind, value, integer,
      real, type, bytes, truncated, cause, scheduler, reason

    var name: String {
      switch self {
      case .moment: "time"
      case .time: "time_ns"
      case .operation: "operator"
      case .integer: "value_integer"
      case .real: "value_real"
      case .type: "value_type"
      case .bytes: "value_bytes"
      case .event, .thread, .name, .stream, .subscription, .kind, .value, .truncated, .cause,
        .scheduler, .reason:
        String(describing: self)
      }
    }

    var kind: ParquetColumn.Kind {
      switch self {
      case .event, .value, .cause: .text
      case .moment: .moment
      case .time, .stream, .integer, .bytes: .integer
      case .subscription: .unsigned
      case .real: .real
      case .truncated: .boolean
      case .thread, .name, .operation, .kind, .type, .scheduler, .reason: .name
      }
    }
  }

  init(_ words: TraceWords, started: UInt64) {
    self.words = words
    self.started = started
  }

  /// The number of rows.
  var count: Int { columns[0].count }
  /// The size of the values' texts.
  var bytes: Int { columns[Column.value.rawValue].bytes }
  /// Whether the rows are enough for a group.
  var areEnough: Bool { count >= Self.mostRows || bytes > Self.mostBytes }

  /// Writes the rows as a group, if there are any, and clears them.
  mutating func write(to file: inout ParquetFile) { file.write(&columns) }

  /// Adds a row of the kind `lost`.
  mutating func add(_ loss: TraceLoss) {
    let threads = words.threads
    for index in columns.indices {
      switch Column(rawValue: index) {
      case .moment: columns[index].add(words.sinceEpoch(loss.ticks.lowerBound, started: started))
      case .time: columns[index].add(words.nanoseconds(loss.ticks.lowerBound))
      case .thread: columns[index].add(UInt64(loss.ring)) { threads[loss.ring] }
      case .kind: columns[index].add(0) { "lost" }
      case .integer: columns[index].add(Int64(clamping: loss.count))
      default: columns[index].addNothing()
      }
    }
  }

  /// Adds the row of an event.
  mutating func add(_ index: Int, _ block: ColumnPointers) {
    let (threads, schedulers) = (words.threads, words.definitions.schedulers)
    let ticks = block.ticks[index]
    let kind = block.kinds[index]
    let isHop = Hops.contains(kind)
    let id = block.streams[index]
    let stream = isHop ? nil : words.definitions.streams[id]
    let subscription = block.subscriptions[index]
    self[.event].add(text: String(block.name(index)))
    self[.moment].add(words.sinceEpoch(ticks, started: started))
    self[.time].add(words.nanoseconds(ticks))
    self[.thread].add(UInt64(block.ring)) { threads[block.ring] }
    if let stream {
      self[.name].add(UInt64(id)) { stream.name }
      self[.operation].add(UInt64(id)) { stream.operation }
    } else {
      self[.name].addNothing()
      self[.operation].addNothing()
    }
    if isHop || id == 0 { self[.stream].addNothing() } else { self[.stream].add(Int64(id)) }
    if subscription == 0 {
      self[.subscription].addNothing()
    } else {
      self[.subscription].add(Int64(bitPattern: subscription))
    }
    self[.kind].add(UInt64(kind)) { RecordKind.name(of: kind) }
    addValue(index, block)
    if let cause = block.nearestCause(index) {
      self[.cause].add(text: String(cause))
    } else {
      self[.cause].addNothing()
    }
    if isHop {
      self[.scheduler].add(UInt64(id)) {
        schedulers[id]?.name ?? "scheduler \(id)"
      }
    } else {
      self[.scheduler].addNothing()
    }
    let payload = block.payloadKinds[index]
    if payload >= PayloadKind.reason.rawValue,
      let reason = ReasonNames.name(kind: kind, payload: payload, word: block.words[index])
    {
      let number =
        payload == PayloadKind.awaited.rawValue
        ? UInt64(TaskAwaitPayload(word: block.words[index]).awaited)
        : block.words[index] & 0xffff_ffff
      self[.reason].add(UInt64(kind) << 32 | number) { reason }
    } else {
      self[.reason].addNothing()
    }
  }

  private mutating func addValue(_ index: Int, _ block: ColumnPointers) {
    let word = block.words[index]
    let raw = block.payloadKinds[index]
    let kind = PayloadKind(rawValue: raw)
    let text = block.text(index)
    switch kind {
    case .integer: self[.value].add(text: String(Int64(bitPattern: word)))
    case .unsigned, .stream:
      self[.value].add(text: String(kind == .stream ? word & 0xffff_ffff : word))
    case .real: self[.value].add(text: RealText.text(Double(bitPattern: word)))
    case .boolean: self[.value].add(text: word == 0 ? "false" : "true")
    case .string, .description, .typeOnly:
      self[.value].add(text: String(decoding: text, as: UTF8.self))
    case .bytes:
      self[.value].add(
        text: text.map { String(UInt16($0) | 256, radix: 16).dropFirst() }.joined())
    case .task, .awaited, .made:
      if let task = kind?.task(in: word) {
        self[.value].add(text: String(task))
      } else {
        self[.value].addNothing()
      }
    case .absent, .unit, .null, .withheld, .reason, .cause, nil: self[.value].addNothing()
    }
    switch kind {
    case .integer: self[.integer].add(Int64(bitPattern: word))
    case .unsigned where word <= UInt64(Int64.max): self[.integer].add(Int64(word))
    case .task, .awaited, .made:
      if let task = kind?.task(in: word) {
        self[.integer].add(Int64(clamping: task))
      } else {
        self[.integer].addNothing()
      }
    default: self[.integer].addNothing()
    }
    if kind == .real { self[.real].add(Int64(bitPattern: word)) } else { self[.real].addNothing() }
    switch kind {
    case .absent, .reason, .cause: self[.type].addNothing()
    default: self[.type].add(UInt64(raw)) { kind?.name ?? "unknown\(raw)" }
    }
    switch kind {
    case .string, .description, .bytes:
      let isCut = word > UInt64(text.count)
      self[.bytes].add(Int64(clamping: max(word, UInt64(text.count))))
      self[.truncated].add(isCut ? 1 : 0)
    default:
      self[.bytes].addNothing()
      self[.truncated].addNothing()
    }
  }

  private subscript(column: Column) -> ParquetColumn {
    _read { yield columns[column.rawValue] }
    _modify { yield &columns[column.rawValue] }
  }
}
