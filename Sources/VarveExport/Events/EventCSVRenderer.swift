public import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// Writes CSV as in RFC 4180, for spreadsheets: a line of titles, then one line per event.
///
/// The columns are the keys of the NDJSON form except `causes`, with those that only cut values and
/// losses have at the end, and `task_name` after them. Cells that do not apply are empty. A text that a spreadsheet would take
/// for a formula has a `'` before it.
public final class EventCSVRenderer: EventRenderer {
  private let output: ByteOutput
  private let threads: ThreadNames
  private let definitions: TraceDefinitions
  private let time: TraceTime
  private let cache = CellCache()
  /// Whether no name is changed for the sake of spreadsheets: then names are copied from line to
  /// line, because changes need not be counted.
  private let hasPlainNames: Bool
  /// Nil where no task has a name.
  private let tasks: RecordedTaskNames?
  private var losses: LossLines
  private var changed: UInt64 = 0

  /// Prepares to write the events of a query.
  ///
  /// - Parameters:
  ///   - source: the events' source.
  ///   - filter: the filter of the query; nil if it selects everything.
  ///   - pid: the id of the recorded process.
  ///   - output: the destination of the text.
  public init(
    source: some EventSource, filter: EventFilter? = nil, pid: UInt32, output: ByteOutput
  ) {
    losses = LossLines(source, filter)
    self.output = output
    tasks = RecordedTaskNames(source)
    definitions = source.definitions
    time = source.time
    threads = ThreadNames(definitions.threads, pid: pid)
    let names = definitions.streams.values.lazy.flatMap { [$0.name, $0.operation] }
    let schedulers = definitions.schedulers.values.lazy.map(\.name)
    let rings = definitions.threads.keys.lazy.map { [threads] in threads[$0] }
    hasPlainNames =
      names.allSatisfy(CSVText.isHarmless) && schedulers.allSatisfy(CSVText.isHarmless)
      && rings.allSatisfy(CSVText.isHarmless)
  }

  /// Writes the titles.
  public func begin() {
    output.write(
      "event,time_ns,thread,name,stream,operator,subscription,kind,value,value_type,cause,"
        + "scheduler,reason,value_bytes,truncated,count,from_ns,to_ns,task_name\r\n")
  }

  /// Writes the losses after the last event.
  public func end() {
    var pen = output.pen()
    for loss in losses.takeRest() { write(cells(loss), to: &pen) }
    output.finish(&pen)
  }

  /// What was changed for the sake of spreadsheets.
  public var notes: [String] { CSVText.notes(changed) }

  /// The tasks whose names there was no memory for.
  public var passedOver: PassedOver { tasks?.passedOver ?? PassedOver() }

  /// Reports a loss that the other renderer has reported only if it has grown since.
  public func goOn(after other: any EventRenderer) {
    guard let other = other as? EventCSVRenderer else { return }
    losses.goOn(after: other.losses)
    changed = other.changed
    if let earlier = other.tasks { tasks?.goOn(after: earlier) }
  }

  /// Writes the selected events of a page.
  public func render(_ page: EventPage) {
    var pen = output.pen()
    page.forEachRun { entries, block in
      for entry in entries {
        let tick = block.ticks[Int(entry.index)]
        if tick >= losses.next {
          for loss in losses.take(before: tick) { write(cells(loss), to: &pen) }
        }
        if hasPlainNames {
          write(Int(entry.index), block, to: &pen)
        } else {
          write(cells(block, Int(entry.index)), to: &pen)
        }
      }
    }
    output.finish(&pen)
  }

  private func write(_ cells: [Cell], to pen: inout Pen) {
    pen.write(cells.map(cell).joined(separator: ",") + "\r\n")
  }

  /// Returns a cell as it is written, and counts it if it is changed.
  private func cell(_ cell: Cell) -> String {
    guard case .text(let text) = cell else { return cell.text }
    let harmless = CSVText.harmless(text)
    if harmless != text { changed += 1 }
    return CSVText.quoted(harmless)
  }

  private enum Cached: UInt8 { case thread, stream, scheduler, kind, type }

  /// Writes a line whose names need no change.
  @inline(__always)
  private func write(
    _ index: Int, _ block: ColumnPointers, to pen: inout Pen
  ) {
    let comma = UInt8(ascii: ",")
    let (kind, id) = (block.kinds[index], block.streams[index])
    let isHop = Hops.contains(kind)
    let (raw, word) = (block.payloadKinds[index], block.words[index])
    let text = block.text(index)
    pen.reserve(8 * CellCache.longest + 512 + text.count)
    pen.put(block.name(index))
    pen.put(comma)
    pen.put(decimal: time.nanoseconds(sinceStart: block.ticks[index]))
    pen.put(comma)
    cache.write(UInt64(block.ring), Cached.thread.rawValue, to: &pen) {
      $0.write(CSVText.quoted(threads[block.ring]) + ",")
    }
    if isHop {
      pen.put(",,,")
    } else {
      cache.write(UInt64(id), Cached.stream.rawValue, to: &pen) { pen in
        let stream = definitions.streams[id]
        let number = id == 0 ? "" : String(id)
        pen.write(
          "\(CSVText.quoted(stream?.name ?? "")),\(number),"
            + "\(CSVText.quoted(stream?.operation ?? "")),")
      }
    }
    let subscription = block.subscriptions[index]
    if subscription != 0 { pen.put(decimal: subscription) }
    pen.put(comma)
    cache.write(UInt64(kind), Cached.kind.rawValue, to: &pen) {
      $0.write("\(RecordKind.name(of: kind)),")
    }
    write(value: raw, word, text, columns: block, index, to: &pen)
    if let cause = block.nearestCause(index) { pen.put(cause) }
    pen.put(comma)
    if isHop {
      cache.write(UInt64(id), Cached.scheduler.rawValue, to: &pen) {
        $0.write(CSVText.quoted(definitions.schedulers[id]?.name ?? "scheduler \(id)") + ",")
      }
    } else {
      pen.put(comma)
    }
    if raw >= PayloadKind.reason.rawValue,
      let reason = ReasonNames.name(kind: kind, payload: raw, word: word)
    {
      pen.put(text: reason)
    }
    pen.put(comma)
    if let cut = CutValue.bytes(payload: raw, word: word, kept: text.count) {
      pen.put(decimal: UInt64(cut))
      pen.put(",true,,,,")
    } else {
      pen.put(",,,,,")
    }
    if let name = tasks?.name(index, block) { pen.write(cell(.text(name))) }
    pen.put("\r\n")
  }

  /// Writes a value and its type.
  @inline(__always)
  private func write(
    value raw: UInt8, _ word: UInt64, _ text: UnsafeBufferPointer<UInt8>, columns: ColumnPointers,
    _ index: Int, to pen: inout Pen
  ) {
    switch PayloadKind(rawValue: raw) {
    case .integer: pen.put(decimal: Int64(bitPattern: word))
    case .unsigned: pen.put(decimal: word)
    case .string, .description, .typeOnly:
      if CSVText.isPlain(text) {
        pen.put(text)
      } else {
        pen.write(cell(value(columns, index).value))
      }
    default: pen.write(cell(value(columns, index).value))
    }
    pen.put(UInt8(ascii: ","))
    cache.write(UInt64(raw), Cached.type.rawValue, to: &pen) {
      $0.write(value(columns, index).type + ",")
    }
  }

  /// A cell: text of the program, or a number or a word of the command's own.
  private enum Cell {
    case text(String)
    case plain(String)

    var text: String {
      switch self {
      case .text(let text), .plain(let text): text
      }
    }
  }

  private func cells(_ loss: TraceLoss) -> [Cell] {
    let from = String(time.nanoseconds(sinceStart: loss.ticks.lowerBound))
    let to = String(time.nanoseconds(sinceStart: loss.ticks.upperBound))
    let nothing = Cell.plain("")
    return [nothing, .plain(from), .text(threads[loss.ring]), nothing, nothing, nothing, nothing]
      + [.plain("lost"), nothing, nothing, nothing, nothing, .plain(loss.reason.name)]
      + [nothing, nothing, .plain(String(loss.count)), .plain(from), .plain(to), nothing]
  }

  private func cells(_ columns: ColumnPointers, _ index: Int) -> [Cell] {
    let kind = columns.kinds[index]
    let isHop = Hops.contains(kind)
    let id = columns.streams[index]
    let stream = isHop ? nil : definitions.streams[id]
    let scheduler = definitions.schedulers[id]?.name ?? "scheduler \(id)"
    let subscription = columns.subscriptions[index]
    let (value, type) = value(columns, index)
    let cut = CutValue.bytes(
      payload: columns.payloadKinds[index], word: columns.words[index],
      kept: columns.text(index).count)
    let reason = ReasonNames.name(
      kind: kind, payload: columns.payloadKinds[index], word: columns.words[index])
    return [
      .plain(String(columns.name(index))),
      .plain(String(time.nanoseconds(sinceStart: columns.ticks[index]))),
      .text(threads[columns.ring]),
      .text(stream?.name ?? ""),
      .plain(isHop || id == 0 ? "" : String(id)),
      .text(stream?.operation ?? ""),
      .plain(subscription == 0 ? "" : String(subscription)),
      .plain(RecordKind.name(of: kind)), value, .plain(type),
      .plain(columns.nearestCause(index).map { String($0) } ?? ""),
      .text(isHop ? scheduler : ""), .plain(reason ?? ""),
      .plain(cut.map { String($0) } ?? ""), .plain(cut == nil ? "" : "true"),
    ] + Array(repeating: .plain(""), count: 3) + [.text(tasks?.name(index, columns) ?? "")]
  }

  private func value(_ columns: ColumnPointers, _ index: Int) -> (value: Cell, type: String) {
    let word = columns.words[index]
    let raw = columns.payloadKinds[index]
    guard let kind = PayloadKind(rawValue: raw) else { return (.plain(""), "unknown\(raw)") }
    let value: Cell =
      switch kind {
      case .integer: .plain(String(Int64(bitPattern: word)))
      case .unsigned: .plain(String(word))
      case .stream: .plain(String(SubscriptionPayload(word: word).stream))
      case .real: .plain(RealText.text(Double(bitPattern: word)))
      case .boolean: .plain(word == 0 ? "false" : "true")
      case .string, .description, .typeOnly:
        .text(String(decoding: columns.text(index), as: UTF8.self))
      case .bytes:
        .plain(columns.text(index).map { String(UInt16($0) | 256, radix: 16).dropFirst() }.joined())
      case .task, .awaited, .made: .plain(kind.task(in: word).map { String($0) } ?? "")
      case .absent, .unit, .null, .withheld, .reason, .cause: .plain("")
      }
    let isNoValue = kind == .absent || kind == .reason || kind == .cause
    return (value, isNoValue ? "" : kind.name)
  }
}

/// Writes the cells of RFC 4180.
enum CSVText {
  /// Returns text that no spreadsheet takes for a formula: one that begins as a formula does has a
  /// `'` before it. So has one that begins with `'`, so that the text can be told from the sign.
  static func harmless(_ text: String) -> String {
    guard let first = text.unicodeScalars.first else { return text }
    switch first {
    case "=", "+", "-", "@", "\t", "\r", "\n", "'", "\u{ff1d}", "\u{ff0b}", "\u{ff0d}", "\u{ff20}":
      return "'" + text
    default: return text
    }
  }

  /// Returns whether a spreadsheet takes text for what it is.
  static func isHarmless(_ text: String) -> Bool { harmless(text) == text }

  /// Returns whether text is written as it is: it has nothing but ASCII's letters, digits and most
  /// signs, and no formula begins like it.
  @inline(__always)
  static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    switch text.first {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"),
      UInt8(ascii: "'"):
      return false
    default: break
    }
    for byte in text where byte < 0x20 || byte >= 0x7f || byte == 0x22 || byte == 0x2c {
      return false
    }
    return true
  }

  /// Returns a sentence about changed cells, if there are any.
  static func notes(_ changed: UInt64) -> [String] {
    guard changed > 0 else { return [] }
    return [
      "\(Counted.text(changed, "text begins", "texts begin")) as a formula of a spreadsheet does, or "
        + "with '; a ' was put before"
    ]
  }

  /// Returns a cell, quoted if necessary. Control characters except line breaks are escaped.
  static func quoted(_ cell: String) -> String {
    guard cell.utf8.contains(where: { $0 < 0x20 || $0 >= 0x7f || $0 == 0x22 || $0 == 0x2c }) else {
      return cell
    }
    let lines = cell.split(separator: "\n", omittingEmptySubsequences: false)
    let safe = lines.map { TerminalText.escaped(String($0)) }.joined(separator: "\n")
    return "\""
      + safe.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"") + "\""
  }
}
