public import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// Writes one JSON object per event. The keys and their order are a promise.
///
/// `event`, `time_ns`, `thread`, `name`, `stream`, `operator`, `subscription`, `kind`, `value`,
/// `value_type`, `cause`, `causes` (only if there are several), `scheduler`, `reason`. A key that
/// does not apply is `null`; `scheduler` is that of work, and not of what happens in it. Integers
/// are written with all their digits, even above 2⁵³. The value of a record of a task is another task's
/// number: of `hopBegan` that of the task which runs, of `hopEnded` of the one that it awaits then, of
/// `taskCreated` of the one that made it.
///
/// After `value_type`, a value of which a part was recorded has `value_bytes`, its length before it
/// was cut, and `truncated`, which is true. The last key of a record that concerns a task with a name is
/// `task_name`: of runs, too, it is the name of the task that ran. Where events are missing, an object of the kind `lost`
/// has their number as `count`, and the times of the first and the last, `from_ns` and `to_ns`.
public final class EventJSONRenderer: EventRenderer {
  private let output: ByteOutput
  private let line: JSONLine
  private let isArray: Bool
  private var clock: TickConverter
  private var isFirst = true
  private var losses: LossLines

  /// Prepares to write the events of a query.
  ///
  /// - Parameters:
  ///   - source: the events' source.
  ///   - filter: the filter of the query; nil if it selects everything.
  ///   - pid: the id of the recorded process.
  ///   - isArray: whether the lines are the elements of one array rather than a document each.
  ///   - output: the destination of the text.
  public init(
    source: some EventSource, filter: EventFilter? = nil, pid: UInt32, isArray: Bool = false,
    output: ByteOutput
  ) {
    losses = LossLines(source, filter)
    self.output = output
    self.isArray = isArray
    clock = TickConverter(source.time)
    line = JSONLine(source.definitions, pid: pid, tasks: RecordedTaskNames(source))
  }

  /// The tasks whose names there was no memory for.
  public var passedOver: PassedOver { line.tasks?.passedOver ?? PassedOver() }

  /// Opens the array.
  public func begin() {
    if isArray { output.write("[") }
  }

  /// Writes the losses after the last event, and closes the array.
  public func end() {
    var pen = output.pen()
    write(losses.takeRest(), to: &pen)
    output.finish(&pen)
    if isArray { output.write(isFirst ? "]\n" : "\n]\n") }
  }

  /// Writes the selected events of a page.
  public func render(_ page: EventPage) {
    var pen = output.pen()
    var clock = clock
    page.forEachRun { entries, block in
      var rest = entries
      // Losses are rare: the lines before and after one are written at once.
      while losses.next < .max,
        let place = rest.firstIndex(where: { block.ticks[Int($0.index)] >= losses.next })
      {
        write(UnsafeBufferPointer(rebasing: rest[..<place]), of: block, &clock, to: &pen)
        write(losses.take(before: block.ticks[Int(rest[place].index)]), to: &pen)
        rest = UnsafeBufferPointer(rebasing: rest[place...])
      }
      write(rest, of: block, &clock, to: &pen)
    }
    self.clock = clock
    output.finish(&pen)
  }

  /// Writes lines; not inlined for the reason given in `EventTextRenderer`.
  @inline(never)
  private func write(
    _ entries: UnsafeBufferPointer<EventPage.Entry>, of block: ColumnPointers,
    _ clock: inout TickConverter, to pen: inout Pen
  ) {
    for entry in entries {
      if isArray { separate(&pen) }
      line.write(block, Int(entry.index), &clock, to: &pen)
      if !isArray { pen.put(0x0a) }
    }
  }

  private func write(_ losses: [TraceLoss], to pen: inout Pen) {
    for loss in losses {
      if isArray { separate(&pen) }
      pen.write(line.lost(loss, clock) + (isArray ? "" : "\n"))
    }
  }

  /// Reports a loss that the other renderer has reported only if it has grown since.
  public func goOn(after other: any EventRenderer) {
    guard let other = other as? EventJSONRenderer else { return }
    losses.goOn(after: other.losses)
    isFirst = other.isFirst
    if let earlier = other.line.tasks { line.tasks?.goOn(after: earlier) }
  }

  private func separate(_ pen: inout Pen) {
    pen.write(isFirst ? "\n" : ",\n")
    isFirst = false
  }
}

/// Writes the keys of one object, in their order.
struct JSONLine {
  private let definitions: TraceDefinitions
  private let threads: ThreadNames
  private let cache = CellCache()
  /// Nil where no task has a name.
  let tasks: RecordedTaskNames?

  init(_ definitions: TraceDefinitions, pid: UInt32, tasks: RecordedTaskNames?) {
    self.definitions = definitions
    self.tasks = tasks
    threads = ThreadNames(definitions.threads, pid: pid)
  }

  @inline(__always)
  func write(
    _ columns: ColumnPointers, _ index: Int, _ clock: inout TickConverter,
    to pen: inout Pen
  ) {
    let text = columns.text(index)
    // One cell, and the keys and numbers.
    pen.reserve(CellCache.longest + 1024 + JSONText.mostBytes(text.count))
    writeHead(columns, index, &clock, to: &pen)
    writeValue(columns, index, text: text, to: &pen)
    writeCause(columns, index, to: &pen)
    writeTail(columns, index, to: &pen)
  }

  @inline(__always)
  private func writeHead(
    _ columns: ColumnPointers, _ index: Int, _ clock: inout TickConverter, to pen: inout Pen
  ) {
    pen.put("{\"event\":\"")
    pen.put(columns.name(index))
    pen.put("\",\"time_ns\":")
    pen.put(decimal: clock.nanoseconds(sinceStart: columns.ticks[index]))
    let stream = Hops.contains(columns.kinds[index]) ? 0 : columns.streams[index]
    cache.write(UInt64(columns.ring) << 32 | UInt64(stream), 0, to: &pen) {
      $0.write(place(ring: columns.ring, stream: stream))
    }
    pen.put(",\"subscription\":")
    let subscription = columns.subscriptions[index]
    if subscription == 0 { pen.put("null") } else { pen.put(decimal: subscription) }
    pen.put(",\"kind\":\"")
    writeKind(columns.kinds[index], to: &pen)
    pen.put("\",\"value\":")
  }

  /// Returns `,"thread":"main","name":"queries","stream":12,"operator":"debounce"`.
  private func place(ring: UInt32, stream id: UInt32) -> String {
    let stream = id == 0 ? nil : definitions.streams[id]
    let name = stream.map { JSONText.quoted($0.name) } ?? "null"
    let operation = stream.map { JSONText.quoted($0.operation) } ?? "null"
    return ",\"thread\":\(JSONText.quoted(threads[ring])),\"name\":\(name)"
      + ",\"stream\":\(id == 0 ? "null" : String(id)),\"operator\":\(operation)"
  }

  @inline(__always)
  private func writeKind(_ kind: UInt8, to pen: inout Pen) {
    if kind == RecordKind.value.rawValue { return pen.put("value") }
    pen.put(text: RecordKind.name(of: kind))
  }

  @inline(__always)
  private func writeValue(
    _ columns: ColumnPointers, _ index: Int, text: UnsafeBufferPointer<UInt8>, to pen: inout Pen
  ) {
    let word = columns.words[index]
    switch PayloadKind(rawValue: columns.payloadKinds[index]) {
    case .integer:
      pen.put(decimal: Int64(bitPattern: word))
      pen.put(",\"value_type\":\"integer\"")
    case .string:
      JSONText.write(text, to: &pen)
      pen.put(",\"value_type\":\"string\"")
      if word > UInt64(text.count) { writeCut(word, to: &pen) }
    case let kind: writeRare(kind, columns.payloadKinds[index], word, text: text, to: &pen)
    }
  }

  private func writeRare(
    _ kind: PayloadKind?, _ raw: UInt8, _ word: UInt64, text: UnsafeBufferPointer<UInt8>,
    to pen: inout Pen
  ) {
    switch kind {
    case .unsigned: pen.put(decimal: word)
    case .stream: pen.put(decimal: UInt64(SubscriptionPayload(word: word).stream))
    case .real: JSONText.write(Double(bitPattern: word), to: &pen)
    case .boolean: if word != 0 { pen.put("true") } else { pen.put("false") }
    case .description, .typeOnly: JSONText.write(text, to: &pen)
    case .bytes:
      pen.put("\"")
      for byte in text { TerminalText.putHex(byte, to: &pen) }
      pen.put("\"")
    case .task, .awaited, .made:
      if let task = kind?.task(in: word) { pen.put(decimal: task) } else { pen.put("null") }
    case .integer, .string, .absent, .unit, .null, .withheld, .reason, .cause, nil:
      pen.put("null")
    }
    pen.put(",\"value_type\":")
    switch kind {
    case .absent, .reason, .cause: pen.put("null")
    case let known?: pen.put(text: "\"\(known.name)\"")
    case nil: pen.put(text: "\"unknown\(raw)\"")
    }
    if let bytes = CutValue.bytes(payload: raw, word: word, kept: text.count) {
      writeCut(bytes, to: &pen)
    }
  }

  private func writeCut(_ bytes: UInt64, to pen: inout Pen) {
    pen.put(",\"value_bytes\":")
    pen.put(decimal: bytes)
    pen.put(",\"truncated\":true")
  }

  /// Returns the object of a loss.
  func lost(_ loss: TraceLoss, _ clock: TickConverter) -> String {
    var clock = clock
    let from = clock.nanoseconds(sinceStart: loss.ticks.lowerBound)
    let to = clock.nanoseconds(sinceStart: loss.ticks.upperBound)
    return "{\"event\":null,\"time_ns\":\(from),\"thread\":\(JSONText.quoted(threads[loss.ring]))"
      + ",\"name\":null,\"stream\":null,\"operator\":null,\"subscription\":null,\"kind\":\"lost\""
      + ",\"value\":null,\"value_type\":null,\"cause\":null,\"scheduler\":null"
      + ",\"reason\":\"\(loss.reason.name)\",\"count\":\(loss.count)"
      + ",\"from_ns\":\(from),\"to_ns\":\(to)}"
  }

  @inline(__always)
  private func writeCause(
    _ columns: ColumnPointers, _ index: Int, to pen: inout Pen
  ) {
    guard let cause = columns.nearestCause(index) else { return pen.put(",\"cause\":null") }
    pen.put(",\"cause\":\"")
    pen.put(cause)
    pen.put("\"")
    if !columns.hasNamedCauses { return }
    var all: [EventName] = []
    columns.forEachCause(of: index) { all.append($0) }
    guard all.count > 1 else { return }
    pen.write(",\"causes\":[\(all.map(\.json).joined(separator: ","))]")
  }

  @inline(__always)
  private func writeTail(_ columns: ColumnPointers, _ index: Int, to pen: inout Pen) {
    let kind = columns.kinds[index]
    if kind == RecordKind.value.rawValue {
      pen.put(",\"scheduler\":null,\"reason\":null}")
    } else {
      writeRareTail(kind, columns, index, to: &pen)
    }
  }

  private func writeRareTail(
    _ kind: UInt8, _ columns: ColumnPointers, _ index: Int, to pen: inout Pen
  ) {
    pen.put(",\"scheduler\":")
    if Hops.contains(kind) {
      let id = columns.streams[index]
      JSONText.write(definitions.schedulers[id]?.name ?? "scheduler \(id)", to: &pen)
    } else {
      pen.put("null")
    }
    let payload = columns.payloadKinds[index]
    if let reason = ReasonNames.name(kind: kind, payload: payload, word: columns.words[index]) {
      pen.put(",\"reason\":\"")
      pen.put(text: reason)
      pen.put("\"")
    } else {
      pen.put(",\"reason\":null")
    }
    if let name = tasks?.name(index, columns) {
      pen.write(",\"task_name\":\(JSONText.quoted(name))")
    }
    pen.put("}")
  }
}
