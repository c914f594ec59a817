internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// The spans of OTLP in JSON.
struct OTLPForm {
  private let words: TraceWords
  private let header: TraceHeader
  private let output: ByteOutput
  private let isFirst = FirstSpan()

  /// Whether no span was written yet.
  private final class FirstSpan { var value = true }

  init(_ words: TraceWords, _ header: TraceHeader, _ output: ByteOutput) {
    self.words = words
    self.header = header
    self.output = output
  }

  func begin() {
    let process = header.process
    let name = process.program.split(separator: "/").last.map(String.init) ?? process.program
    // A trace need not contain the host's name.
    let host = process.host.isEmpty ? [] : [Self.attribute("host.name", text: process.host)]
    let attributes =
      [Self.attribute("service.name", text: name)] + host
      + [Self.attribute("process.pid", number: Int64(process.pid))]
    output.write(
      "{\"resourceSpans\":[{\"resource\":{\"attributes\":[\(attributes.joined(separator: ","))]},"
        + "\"scopeSpans\":[{\"scope\":{\"name\":\"varve\"},\"spans\":[")
  }

  func end() { output.write("\n]}]}]}\n") }

  // MARK: - Spans

  /// Writes a span, or a part of one: parts after the first are inside the first.
  func write(_ span: OTLPSpan, part: Int, to end: UInt64) {
    let own = Self.id(span.start)
    let isLater = part > 1
    var members = JSONMembers().adding("traceId", "\"\(traceID(span.root))\"")
      .adding("spanId", "\"\(isLater ? Self.id(span.start, part: part) : own)\"")
    if let parent = isLater ? own : span.parent.map({ Self.id($0) }) {
      members = members.adding("parentSpanId", "\"\(parent)\"")
    }
    var attributes = span.attributes
    if part > 0 { attributes.append(Self.attribute("varve.part", number: Int64(part))) }
    let links = span.links.map { link in
      JSONMembers().adding("traceId", "\"\(traceID(link.root))\"")
        .adding("spanId", "\"\(Self.id(link.start))\"").text
    }
    put(
      members.adding("name", JSONText.quoted(span.name)).adding("kind", "1")
        .adding("startTimeUnixNano", "\"\(time(span.from))\"")
        .adding("endTimeUnixNano", "\"\(time(end))\"")
        .adding("attributes", "[\(attributes.joined(separator: ","))]")
        .adding("events", "[\(span.events.joined(separator: ","))]")
        .adding("links", "[\(links.joined(separator: ","))]")
        .adding("status", span.hasFailed ? "{\"code\":2}" : "{}"))
  }

  /// Writes a span for what was lost.
  func write(_ loss: TraceLoss, _ number: Int) {
    let name = EventName(ring: loss.ring | 0x8000_0000, sequence: UInt64(number) + 1)
    let what = loss.reason == .notDefined ? "definitions" : "events"
    put(
      JSONMembers().adding("traceId", "\"\(traceID(name))\"")
        .adding("spanId", "\"\(Self.id(name))\"")
        .adding("name", JSONText.quoted("\(loss.count) \(what) lost")).adding("kind", "1")
        .adding("startTimeUnixNano", "\"\(time(loss.ticks.lowerBound))\"")
        .adding("endTimeUnixNano", "\"\(time(loss.ticks.upperBound))\"")
        .adding(
          "attributes",
          "[\(Self.attribute("varve.kind", text: "lost")),"
            + "\(Self.attribute("varve.count", number: Int64(clamping: loss.count))),"
            + "\(Self.attribute("thread.name", text: words.thread(loss.ring)))]"
        )
        .adding("status", "{\"code\":2}"))
  }

  private func put(_ members: JSONMembers) {
    output.write((isFirst.value ? "\n" : ",\n") + members.text)
    isFirst.value = false
  }

  // MARK: - Events

  /// Returns what a span says of the event that began it.
  func attributes(of event: TraceEvent) -> [String] {
    var attributes = [
      Self.attribute("varve.kind", text: event.kind?.name ?? "unknown"),
      Self.attribute("varve.event", text: String(event.name)),
      Self.attribute("thread.name", text: words.thread(event.ring)),
    ]
    if let id = words.definitions.threads[event.ring]?.systemID {
      attributes.append(Self.attribute("thread.id", number: Int64(clamping: id)))
    }
    if let place = event.isHop ? nil : words.places.exact(event.stream) {
      attributes.append(Self.attribute("code.file.path", text: place.file))
      attributes.append(Self.attribute("code.line.number", number: Int64(place.line)))
    }
    return attributes
  }

  /// Adds an event to a span, with its value.
  func add(_ event: TraceEvent, to span: inout OTLPSpan) {
    var attributes = [
      Self.attribute("varve.event", text: String(event.name)),
      Self.attribute("varve.kind", text: event.kind?.name ?? "unknown"),
    ]
    if let value = Self.value(event.payload) {
      attributes.append("{\"key\":\"varve.value\",\"value\":\(value)}")
    }
    let payload = event.payload
    let isText = payload.kind == .string || payload.kind == .description || payload.kind == .bytes
    if isText, payload.word > UInt64(payload.bytes.count) {
      let bytes = Int64(clamping: payload.word)
      attributes.append(Self.attribute("varve.value_bytes", number: bytes))
    }
    if let reason = event.reason { attributes.append(Self.attribute("varve.reason", text: reason)) }
    let text = JSONMembers().adding("timeUnixNano", "\"\(time(event.ticks))\"")
      .adding("name", JSONText.quoted(words.subject(event)))
      .adding("attributes", "[\(attributes.joined(separator: ","))]").text
    span.size += text.utf8.count
    span.events.append(text)
    if event.kind == .failed { span.hasFailed = true }
  }

  private static func value(_ payload: EventPayload) -> String? {
    switch payload.kind {
    case .integer: "{\"intValue\":\"\(Int64(bitPattern: payload.word))\"}"
    case .unsigned where payload.word <= UInt64(Int64.max): "{\"intValue\":\"\(payload.word)\"}"
    case .unsigned: "{\"stringValue\":\"\(payload.word)\"}"
    case .real: "{\"doubleValue\":\(RealText.json(Double(bitPattern: payload.word)))}"
    case .boolean: "{\"boolValue\":\(payload.word != 0)}"
    case .string, .description, .typeOnly: "{\"stringValue\":\(JSONText.quoted(payload.text))}"
    case .bytes: "{\"stringValue\":\(EventObject.value(payload).json)}"
    case .unit: "{\"stringValue\":\"()\"}"
    case .null: "{\"stringValue\":\"nil\"}"
    case .absent, .withheld, .stream, .reason, .cause, nil: nil
    }
  }

  // MARK: - Ids

  private func time(_ ticks: UInt64) -> String {
    String(TraceTime.sinceEpoch(words.nanoseconds(ticks), started: header.process.started))
  }

  /// Returns the id of the trace that an event began: other ones in other recordings.
  private func traceID(_ root: EventName) -> String {
    let own = header.id.description
    return String(own.prefix(16)) + Self.hex(Self.mixed(Self.number(root)) ^ header.id.low)
  }

  /// Returns the id of the span that an event began, or of a later part of it.
  private static func id(_ start: EventName, part: Int = 0) -> String {
    let id = mixed(number(start) ^ mixed(UInt64(part)))
    return hex(id == 0 ? 1 : id)
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

  private static func hex(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  // MARK: - Attributes

  static func attribute(_ key: String, text: String) -> String {
    "{\"key\":\"\(key)\",\"value\":{\"stringValue\":\(JSONText.quoted(text))}}"
  }

  static func attribute(_ key: String, number: Int64) -> String {
    "{\"key\":\"\(key)\",\"value\":{\"intValue\":\"\(number)\"}}"
  }
}
