public import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// Writes one JSON object per event. The keys and their order are a promise.
///
/// `event`, `time_ns`, `thread`, `name`, `stream`, `operator`, `subscription`, `kind`, `value`,
/// `value_type`, `cause`, `causes` (only if there are several), `scheduler`, `reason`. A key that
/// does not apply is `null`. Integers are written with all their digits, even above 2⁵³.
public final class EventJSONRenderer: EventRenderer {
  private let output: ByteOutput
  private let cells: EventJSONCells
  private let isArray: Bool
  private var clock: TickConverter
  private var isFirst = true

  /// Prepares to write the events of a query.
  ///
  /// - Parameters:
  ///   - source: the events' source.
  ///   - pid: the id of the recorded process.
  ///   - isArray: whether the lines are the elements of one array rather than a document each.
  ///   - output: the destination of the text.
  public init(source: some EventSource, pid: UInt32, isArray: Bool = false, output: ByteOutput) {
    self.output = output
    self.isArray = isArray
    clock = TickConverter(source.time)
    cells = EventJSONCells(source.definitions, pid: pid)
  }

  /// Opens the array.
  public func begin() {
    if isArray { output.write("[") }
  }

  /// Closes the array.
  public func end() {
    if isArray { output.write(isFirst ? "]\n" : "\n]\n") }
  }

  /// Writes the selected events of a page.
  public func render(_ page: EventPage) {
    var pen = output.pen()
    var clock = clock
    cells.lend { streams, threads in
      page.withPointers { entries, blocks in
        let line = JSONLine(cells: cells, streams: streams, threads: threads)
        let fixed = 512 + cells.mostBytes
        for entry in entries {
          let block = blocks[Int(entry.batch)]
          let index = Int(entry.index)
          let text = block.text(index)
          pen.reserve(fixed + JSONText.mostBytes(text.count))
          if isArray { separate(&pen) }
          line.writeHead(block, index, &clock, to: &pen)
          line.writeValue(block, index, text: text, to: &pen)
          line.writeCause(block, page.batches[Int(entry.batch)], index, to: &pen)
          line.writeTail(block, index, isLast: !isArray, to: &pen)
        }
      }
    }
    self.clock = clock
    output.finish(&pen)
  }

  private func separate(_ pen: inout Pen) {
    if isFirst { pen.put("\n") } else { pen.put(",\n") }
    isFirst = false
  }
}

/// Writes the keys of one object, in their order.
struct JSONLine {
  let cells: EventJSONCells
  let streams: CellTable.Reader
  let threads: CellTable.Reader

  @inline(__always)
  func writeHead(
    _ columns: ColumnPointers, _ index: Int, _ clock: inout TickConverter, to pen: inout Pen
  ) {
    pen.put("{\"event\":\"")
    pen.put(columns.name(index))
    pen.put("\",\"time_ns\":")
    pen.put(decimal: clock.nanoseconds(sinceStart: columns.ticks[index]))
    if !threads.write(columns.ring, to: &pen) {
      pen.put(",\"thread\":\"ring ")
      pen.put(thread: columns.ring)
      pen.put("\"")
    }
    let stream = columns.streams[index]
    if Hops.contains(columns.kinds[index]) || stream == 0 {
      pen.put(",\"name\":null,\"stream\":null,\"operator\":null")
    } else if !streams.write(stream, to: &pen) {
      pen.put(",\"name\":null,\"stream\":")
      pen.put(decimal: UInt64(stream))
      pen.put(",\"operator\":null")
    }
    pen.put(",\"subscription\":")
    let subscription = columns.subscriptions[index]
    if subscription == 0 { pen.put("null") } else { pen.put(decimal: subscription) }
    pen.put(",\"kind\":\"")
    writeKind(columns.kinds[index], to: &pen)
    pen.put("\",\"value\":")
  }

  @inline(__always)
  private func writeKind(_ kind: UInt8, to pen: inout Pen) {
    if kind == RecordKind.value.rawValue { return pen.put("value") }
    pen.write(RecordKind.name(of: kind))
  }

  @inline(__always)
  func writeValue(
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
    case .integer, .string, .absent, .unit, .null, .withheld, .reason, .cause, nil:
      pen.put("null")
    }
    pen.put(",\"value_type\":")
    switch kind {
    case .absent, .reason, .cause: pen.put("null")
    case let known?: pen.write("\"\(known.name)\"")
    case nil: pen.write("\"unknown\(raw)\"")
    }
  }

  @inline(__always)
  func writeCause(
    _ columns: ColumnPointers, _ batch: EventBatch, _ index: Int, to pen: inout Pen
  ) {
    guard let cause = columns.nearestCause(index, batch) else { return pen.put(",\"cause\":null") }
    pen.put(",\"cause\":\"")
    pen.put(cause)
    pen.put("\"")
    if !columns.hasNamedCauses { return }
    let all = batch.columns.causes(of: index)
    guard all.count > 1 else { return }
    pen.write(",\"causes\":[\(all.map(\.json).joined(separator: ","))]")
    pen.reserve(64 + cells.mostBytes)
  }

  @inline(__always)
  func writeTail(_ columns: ColumnPointers, _ index: Int, isLast: Bool, to pen: inout Pen) {
    let kind = columns.kinds[index]
    if kind == RecordKind.value.rawValue {
      pen.put(",\"scheduler\":null,\"reason\":null}")
    } else {
      writeRareTail(kind, columns, index, to: &pen)
    }
    if isLast { pen.put(0x0a) }
  }

  private func writeRareTail(
    _ kind: UInt8, _ columns: ColumnPointers, _ index: Int, to pen: inout Pen
  ) {
    pen.put(",\"scheduler\":")
    if Hops.contains(kind) {
      pen.write(cells.scheduler(columns.streams[index]))
    } else {
      pen.put("null")
    }
    let isReason = columns.payloadKinds[index] == PayloadKind.reason.rawValue
    if isReason, let reason = ReasonNames.name(kind: kind, word: columns.words[index]) {
      pen.write(",\"reason\":\"\(reason)\"}")
    } else {
      pen.put(",\"reason\":null}")
    }
  }
}
