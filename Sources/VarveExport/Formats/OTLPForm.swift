internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// The spans of OTLP, in one of its two encodings. Nothing is allocated for an event or a span.
struct OTLPForm {
  private let words: TraceWords
  private let header: TraceHeader
  private let target: Target
  private let encoding: OTLPPen.Encoding
  private var clock: TickConverter
  /// The texts that recur: of streams, schedulers, threads and kinds.
  private let cells = CellCache()
  private let processes: RecordedProcesses
  private let place = Place()
  /// The upper half of the ids of traces.
  private let recording: UInt64

  /// Where the spans go.
  enum Target {
    /// Into one document in JSON.
    case document(ByteOutput)
    /// Into requests in protobuf, one after the other.
    case requests(OTLPRequests)
  }

  /// Where a document is.
  private final class Place {
    /// The process whose spans are being written, by its place.
    var process: Int?
    /// Whether it has no span yet.
    var isFirst = true
  }

  /// The texts that are kept.
  private enum Cell: UInt8 {
    case stream, scheduler, observed, kind, place, hopPlace
  }

  /// The room for what is written of an event or a span, without texts of unknown length.
  private static let room = 1_024 + CellCache.longest

  init(_ words: TraceWords, _ header: TraceHeader, _ target: Target) {
    self.words = words
    self.header = header
    self.target = target
    processes = RecordedProcesses(header, words.definitions)
    clock = TickConverter(words.time)
    recording = UInt64(header.id.description.prefix(16), radix: 16) ?? 0
    encoding =
      switch target {
      case .document: .json
      case .requests: .protobuf
      }
  }

  /// Returns the same form with the words of a later moment.
  func renewed(_ words: TraceWords) -> OTLPForm { OTLPForm(words, header, target) }

  func begin() {
    guard case .document(let output) = target else { return }
    output.write("{\"resourceSpans\":[")
    if !processes.areSeveral { turn(to: 0, output) }
  }

  /// Begins the spans of a process, after those of another one.
  private func turn(to process: Int, _ output: ByteOutput) {
    guard place.process != process else { return }
    if place.process != nil { output.write("\n]}]},\n") }
    place.process = process
    place.isFirst = true
    output.write("{\"resource\":{\"attributes\":[")
    describe(process, output)
    output.write("]},\"scopeSpans\":[{\"scope\":{\"name\":\"varve\"},\"spans\":[")
  }

  private func describe(_ number: Int, _ output: ByteOutput) {
    let process = processes.all.indices.contains(number) ? processes.all[number] : nil
    var pen = OTLPPen(output.pen(), encoding, .resource)
    // The name that OpenTelemetry has for what is not known.
    pen.attribute("service.name", process?.shortProgram ?? "unknown_service")
    // A trace need not contain the host's name.
    if let host = process?.host { pen.attribute("host.name", host) }
    if let process {
      pen.pen.reserve(OTLPPen.room)
      pen.attribute("process.pid", Int64(process.pid))
    }
    output.finish(&pen.pen)
  }

  func end() {
    switch target {
    case .document(let output):
      output.write(place.process == nil ? "]}\n" : "\n]}]}]}\n")
    case .requests(let requests): requests.send()
    }
  }

  // MARK: - Spans

  /// Writes a span, or a part of one: parts after the first are inside the first.
  mutating func write(_ span: OTLPSpan, part: Int, to end: UInt64) {
    let isLater = part > 1
    let (name, kind) = (span.name, RecordKind(rawValue: span.kind))
    let written = Written(
      ring: span.start.ring, trace: traceID(span.root),
      id: Self.id(span.start, part: isLater ? part : 0),
      parent: isLater ? Self.id(span.start) : span.parent.map { Self.id($0) },
      start: time(span.from), end: time(end), hasFailed: span.hasFailed)
    put(written, span) { form, pen in
      form.put(name, to: &pen)
    } attributes: { form, pen in
      form.put(kind, isFirst: true, to: &pen.pen, .span)
      pen.attribute("varve.event", span.start)
      form.putPlace(of: span, to: &pen.pen)
      if let cause = span.cause { pen.attribute("varve.cause", cause) }
      if let task = span.task { pen.attribute("varve.task", Int64(clamping: task)) }
      if let reason = span.reason { pen.attribute("varve.reason", reason) }
      if part > 0 { pen.attribute("varve.part", Int64(part)) }
    }
  }

  /// Writes a span for what was lost.
  mutating func write(_ loss: TraceLoss, _ number: Int) {
    let name = EventName(ring: loss.ring | 0x8000_0000, sequence: UInt64(number) + 1)
    let what = loss.reason == .notDefined ? "definitions" : "events"
    let written = Written(
      ring: loss.ring, trace: traceID(name), id: Self.id(name), parent: nil,
      start: time(loss.ticks.lowerBound), end: time(loss.ticks.upperBound), hasFailed: true)
    put(written, nil) { form, pen in
      form.put(name: "\(loss.count) \(what) lost", to: &pen)
    } attributes: { form, pen in
      pen.attribute("varve.kind", "lost")
      pen.attribute("varve.count", Int64(clamping: loss.count))
      pen.attribute("thread.name", form.words.thread(loss.ring))
    }
  }

  /// The numbers of a span.
  private struct Written {
    /// The thread, which tells the process.
    var ring: UInt32
    var trace: UInt64
    var id: UInt64
    var parent: UInt64?
    var start: UInt64
    var end: UInt64
    var hasFailed: Bool
  }

  private func put(
    _ written: Written, _ span: OTLPSpan?, name: (OTLPForm, inout Pen) -> Void,
    attributes: (OTLPForm, inout OTLPPen) -> Void
  ) {
    let process = processes.place(ofRing: written.ring) ?? processes.all.count
    switch target {
    case .document(let output):
      turn(to: process, output)
      var pen = OTLPPen(output.pen(), .json, .span, isFirst: span == nil)
      putJSON(written, span, name, attributes, &pen)
      output.finish(&pen.pen)
    case .requests(let requests):
      let output = requests.spans(of: process) { describe(process, $0) }
      var pen = OTLPPen(output.pen(), .protobuf, .span)
      putMessage(written, span, name, attributes, &pen)
      output.finish(&pen.pen)
      requests.added()
    }
  }

  private func putJSON(
    _ written: Written, _ span: OTLPSpan?, _ name: (OTLPForm, inout Pen) -> Void,
    _ attributes: (OTLPForm, inout OTLPPen) -> Void, _ pen: inout OTLPPen
  ) {
    pen.pen.reserve(Self.room)
    pen.pen.put(place.isFirst ? "\n" : ",\n")
    place.isFirst = false
    pen.pen.put("{\"traceId\":\"")
    pen.put(hex: recording)
    pen.put(hex: written.trace)
    pen.pen.put("\",\"spanId\":\"")
    pen.put(hex: written.id)
    if let parent = written.parent {
      pen.pen.put("\",\"parentSpanId\":\"")
      pen.put(hex: parent)
    }
    pen.pen.put("\",\"name\":")
    name(self, &pen.pen)
    pen.pen.put(",\"kind\":1,\"startTimeUnixNano\":")
    pen.put(moment: written.start)
    pen.pen.put(",\"endTimeUnixNano\":")
    pen.put(moment: written.end)
    pen.pen.put(",\"attributes\":[")
    attributes(self, &pen)
    pen.pen.put("],\"events\":[")
    if let events = span?.events?.kept { pen.pen.write(events) }
    pen.pen.put("],\"links\":[")
    for (index, link) in (span?.links ?? []).enumerated() {
      pen.pen.extend(by: OTLPPen.room)
      pen.pen.put(index == 0 ? "{\"traceId\":\"" : ",{\"traceId\":\"")
      pen.put(hex: recording)
      pen.put(hex: traceID(link.root))
      pen.pen.put("\",\"spanId\":\"")
      pen.put(hex: Self.id(link.start))
      pen.pen.put("\"}")
    }
    pen.pen.put(written.hasFailed ? "],\"status\":{\"code\":2}}" : "],\"status\":{}}")
  }

  private func putMessage(
    _ written: Written, _ span: OTLPSpan?, _ name: (OTLPForm, inout Pen) -> Void,
    _ attributes: (OTLPForm, inout OTLPPen) -> Void, _ pen: inout OTLPPen
  ) {
    func putID(_ field: Int, _ numbers: UInt64...) {
      pen.pen.put(varint: UInt64(field) << 3 | 2)
      pen.pen.put(varint: UInt64(8 * numbers.count))
      for number in numbers { pen.put(bytes: number) }
    }
    pen.pen.reserve(Self.room)
    let start = pen.begin(message: 2)
    putID(1, recording, written.trace)
    putID(2, written.id)
    if let parent = written.parent { putID(4, parent) }
    pen.pen.put(varint: 5 << 3 | 2)
    name(self, &pen.pen)
    pen.pen.put(field: 6, 1)
    pen.pen.put(field: 7, fixed: written.start)
    pen.pen.put(field: 8, fixed: written.end)
    attributes(self, &pen)
    if let events = span?.events?.kept { pen.pen.write(events) }
    for link in span?.links ?? [] {
      pen.pen.extend(by: OTLPPen.room)
      let start = pen.begin(message: 13)
      putID(1, recording, traceID(link.root))
      putID(2, Self.id(link.start))
      pen.end(message: start)
    }
    if written.hasFailed { pen.pen.put(15) { $0.put(field: 3, 2) } }
    pen.end(message: start)
  }

  // MARK: - Texts

  /// Returns what a span is called that an event begins.
  func subject(_ index: Int, _ block: ColumnPointers, _ task: NamedTask?) -> OTLPSpan.Name {
    if let task { return .task(task.title) }
    let isHop = RecordKind(rawValue: block.kinds[index])?.isHop ?? false
    return isHop ? .scheduler(block.streams[index]) : .stream(block.streams[index])
  }

  private func put(_ name: OTLPSpan.Name, to pen: inout Pen) {
    switch name {
    case .stream(let id):
      cells.write(UInt64(id), Cell.stream.rawValue, to: &pen) {
        put(name: words.stream(id), to: &$0)
      }
    case .scheduler(let id):
      cells.write(UInt64(id), Cell.scheduler.rawValue, to: &pen) {
        put(name: words.scheduler(id), to: &$0)
      }
    case .task(let title): put(name: title, to: &pen)
    case .run(let name?, _): put(name: name, to: &pen)
    case .run(nil, let id): put(.scheduler(id), to: &pen)
    case .observed(let id, let fed):
      cells.write(UInt64(id) << 32 | UInt64(fed), Cell.observed.rawValue, to: &pen) {
        let observer = fed == 0 ? "" : " by \(words.stream(fed))"
        put(name: "\(words.stream(id)), observed\(observer)", to: &$0)
      }
    }
  }

  /// Writes a name: in quotes, or after its length.
  private func put(name: String, to pen: inout Pen) {
    if encoding == .json { return JSONText.write(name, to: &pen) }
    pen.put(varint: UInt64(name.utf8.count))
    pen.write(name)
  }

  private func put(
    _ kind: RecordKind?, isFirst: Bool, to pen: inout Pen, _ owner: OTLPPen.Owner
  ) {
    let key = UInt64(kind?.rawValue ?? 0xff) << 8 | owner.rawValue
    cells.write(key, Cell.kind.rawValue, to: &pen) {
      var inner = OTLPPen($0, encoding, owner, isFirst: isFirst)
      inner.attribute("varve.kind", kind?.name ?? "unknown")
      $0 = inner.pen
    }
  }

  /// Writes the thread of a span, and the place of its stream.
  private func putPlace(of span: OTLPSpan, to pen: inout Pen) {
    let ring = span.start.ring
    let stream: UInt32? =
      switch span.name {
      case .stream(let id), .observed(let id, _): id
      case .scheduler, .task, .run: nil
      }
    let cell = stream == nil ? Cell.hopPlace : .place
    cells.write(UInt64(ring) << 32 | UInt64(stream ?? 0), cell.rawValue, to: &pen) {
      var inner = OTLPPen($0, encoding, .span, isFirst: false)
      inner.attribute("thread.name", words.thread(ring))
      if let id = words.definitions.threads[ring]?.systemID {
        inner.attribute("thread.id", Int64(clamping: id))
      }
      if let place = stream.flatMap({ words.places.exact($0) }) {
        inner.attribute("code.file.path", place.file)
        inner.attribute("code.line.number", Int64(place.line))
      }
      $0 = inner.pen
    }
  }

  // MARK: - Events

  /// Adds an event to a span, with its value; returns the number of bytes.
  mutating func add(
    _ index: Int, _ block: ColumnPointers, _ task: NamedTask?, to span: OTLPSpan
  ) -> Int {
    let kind = RecordKind(rawValue: block.kinds[index])
    let text = block.text(index)
    let moment = time(block.ticks[index])
    let events = span.buffer()
    let before = events.kept.count
    var pen = OTLPPen(events.pen(), encoding, .event)
    pen.pen.reserve(Self.room + JSONText.mostBytes(text.count))
    if encoding == .json {
      pen.pen.put(before == 0 ? "{\"timeUnixNano\":" : ",{\"timeUnixNano\":")
      pen.put(moment: moment)
      pen.pen.put(",\"name\":")
      put(subject(index, block, task), to: &pen.pen)
      pen.pen.put(",\"attributes\":[")
      putAttributes(index, block, kind, text, task, &pen)
      pen.pen.put("]}")
    } else {
      let start = pen.begin(message: 11)
      pen.pen.put(field: 1, fixed: moment)
      pen.pen.put(varint: 2 << 3 | 2)
      put(subject(index, block, task), to: &pen.pen)
      putAttributes(index, block, kind, text, task, &pen)
      pen.end(message: start)
    }
    events.finish(&pen.pen)
    if kind == .failed { span.hasFailed = true }
    return events.kept.count - before
  }

  private func putAttributes(
    _ index: Int, _ block: ColumnPointers, _ kind: RecordKind?,
    _ text: UnsafeBufferPointer<UInt8>, _ task: NamedTask?, _ pen: inout OTLPPen
  ) {
    pen.attribute("varve.event", block.name(index))
    put(kind, isFirst: false, to: &pen.pen, .event)
    if let task { pen.attribute("varve.task", Int64(clamping: task.number)) }
    let (word, payload) = (block.words[index], PayloadKind(rawValue: block.payloadKinds[index]))
    switch payload {
    case .integer: pen.attribute("varve.value", Int64(bitPattern: word))
    case .unsigned:
      if let number = Int64(exactly: word) {
        pen.attribute("varve.value", number)
      } else {
        pen.attribute("varve.value", String(word))
      }
    case .real: pen.attribute("varve.value", Double(bitPattern: word))
    case .boolean: pen.attribute("varve.value", word != 0)
    case .string, .description, .typeOnly:
      // JSON replaces what is not valid UTF-8 itself.
      if encoding == .json || text.allSatisfy({ $0 < 0x80 }) {
        pen.attribute("varve.value", text)
      } else {
        pen.attribute("varve.value", String(decoding: text, as: UTF8.self))
      }
    case .bytes:
      let digits = text.map { String(UInt16($0) | 256, radix: 16).dropFirst() }.joined()
      pen.attribute("varve.value", digits)
    case .unit: pen.attribute("varve.value", "()")
    case .null: pen.attribute("varve.value", "nil")
    case .task, .awaited, .made:
      if let task = payload?.task(in: word) { pen.attribute("varve.value", Int64(clamping: task)) }
    case .absent, .withheld, .stream, .reason, .cause, nil: break
    }
    let isText = payload == .string || payload == .description || payload == .bytes
    if isText, word > UInt64(text.count) {
      pen.attribute("varve.value_bytes", Int64(clamping: word))
    }
    if let reason = OTLPExporter.reason(index, block) { pen.attribute("varve.reason", reason) }
  }

  // MARK: - Ids

  private mutating func time(_ ticks: UInt64) -> UInt64 {
    let since = clock.nanoseconds(sinceStart: ticks)
    return UInt64(max(TraceTime.sinceEpoch(since, started: header.process.started), 0))
  }

  /// Returns the lower half of the id of the trace that an event began. Recordings differ in it.
  private func traceID(_ root: EventName) -> UInt64 {
    Self.mixed(Self.number(root)) ^ header.id.low
  }

  /// Returns the id of the span that an event began, or of a later part of it.
  private static func id(_ start: EventName, part: Int = 0) -> UInt64 {
    let id = mixed(number(start) ^ mixed(UInt64(part)))
    return id == 0 ? 1 : id
  }

  private static func number(_ event: EventName) -> UInt64 {
    UInt64(event.ring) << 40 ^ event.sequence ^ UInt64(event.ring >> 24) << 20
  }

  /// Returns another number for each number, in which all bits depend on all (SplitMix64).
  private static func mixed(_ number: UInt64) -> UInt64 {
    var mixed = number
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}
