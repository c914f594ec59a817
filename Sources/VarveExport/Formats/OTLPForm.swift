internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// The spans of OTLP, in one of its two encodings.
struct OTLPForm {
  private let words: TraceWords
  private let header: TraceHeader
  private let target: Target
  private let isFirst = FirstSpan()

  /// Where the spans go.
  enum Target {
    /// Into one document in JSON.
    case document(ByteOutput)
    /// Into requests in protobuf, one after the other.
    case requests(OTLPRequests)
  }

  /// Whether no span was written yet.
  private final class FirstSpan { var value = true }

  init(_ words: TraceWords, _ header: TraceHeader, _ target: Target) {
    self.words = words
    self.header = header
    self.target = target
  }

  /// Returns the same form with the words of a later moment.
  func renewed(_ words: TraceWords) -> OTLPForm { OTLPForm(words, header, target) }

  func begin() {
    let process = header.process
    let name = process.program.split(separator: "/").last.map(String.init) ?? process.program
    // A trace need not contain the host's name.
    let host = process.host.isEmpty ? [] : [OTLPAttribute("host.name", .text(process.host))]
    let resource =
      [OTLPAttribute("service.name", .text(name))] + host
      + [OTLPAttribute("process.pid", .integer(Int64(process.pid)))]
    switch target {
    case .document(let output):
      let attributes = resource.map(\.json).joined(separator: ",")
      output.write(
        "{\"resourceSpans\":[{\"resource\":{\"attributes\":[\(attributes)]},"
          + "\"scopeSpans\":[{\"scope\":{\"name\":\"varve\"},\"spans\":[")
    case .requests(let requests): requests.describe(resource)
    }
  }

  func end() {
    switch target {
    case .document(let output): output.write("\n]}]}]}\n")
    case .requests(let requests): requests.send()
    }
  }

  // MARK: - Spans

  /// Writes a span, or a part of one: parts after the first are inside the first.
  func write(_ span: OTLPSpan, part: Int, to end: UInt64) {
    let isLater = part > 1
    var attributes = span.attributes
    if part > 0 { attributes.append(OTLPAttribute("varve.part", .integer(Int64(part)))) }
    put(
      Written(
        trace: traceID(span.root), id: Self.id(span.start, part: isLater ? part : 0),
        parent: isLater ? Self.id(span.start) : span.parent.map { Self.id($0) }, name: span.name,
        start: time(span.from), end: time(end), attributes: attributes, events: span.events,
        links: span.links.map { (traceID($0.root), Self.id($0.start)) }, hasFailed: span.hasFailed))
  }

  /// Writes a span for what was lost.
  func write(_ loss: TraceLoss, _ number: Int) {
    let name = EventName(ring: loss.ring | 0x8000_0000, sequence: UInt64(number) + 1)
    let what = loss.reason == .notDefined ? "definitions" : "events"
    put(
      Written(
        trace: traceID(name), id: Self.id(name), parent: nil, name: "\(loss.count) \(what) lost",
        start: time(loss.ticks.lowerBound), end: time(loss.ticks.upperBound),
        attributes: [
          OTLPAttribute("varve.kind", .text("lost")),
          OTLPAttribute("varve.count", .integer(Int64(clamping: loss.count))),
          OTLPAttribute("thread.name", .text(words.thread(loss.ring))),
        ], events: [], links: [], hasFailed: true))
  }

  /// A span as it is written.
  private struct Written {
    var trace: (UInt64, UInt64)
    var id: UInt64
    var parent: UInt64?
    var name: String
    var start: UInt64
    var end: UInt64
    var attributes: [OTLPAttribute]
    var events: [[UInt8]]
    var links: [(trace: (UInt64, UInt64), id: UInt64)]
    var hasFailed: Bool
  }

  private func put(_ span: Written) {
    switch target {
    case .document(let output):
      output.write((isFirst.value ? "\n" : ",\n") + Self.json(span))
      isFirst.value = false
    case .requests(let requests): requests.add(Self.message(span))
    }
  }

  private static func json(_ span: Written) -> String {
    var members = JSONMembers().adding("traceId", "\"\(hex(span.trace))\"")
      .adding("spanId", "\"\(hex(span.id))\"")
    if let parent = span.parent { members = members.adding("parentSpanId", "\"\(hex(parent))\"") }
    let events = span.events.map { String(decoding: $0, as: UTF8.self) }
    let links = span.links.map { link in
      JSONMembers().adding("traceId", "\"\(hex(link.trace))\"")
        .adding("spanId", "\"\(hex(link.id))\"").text
    }
    return
      members.adding("name", JSONText.quoted(span.name)).adding("kind", "1")
      .adding("startTimeUnixNano", "\"\(span.start)\"")
      .adding("endTimeUnixNano", "\"\(span.end)\"")
      .adding("attributes", "[\(span.attributes.map(\.json).joined(separator: ","))]")
      .adding("events", "[\(events.joined(separator: ","))]")
      .adding("links", "[\(links.joined(separator: ","))]")
      .adding("status", span.hasFailed ? "{\"code\":2}" : "{}").text
  }

  private static func message(_ span: Written) -> ProtobufMessage {
    ProtobufMessage { message in
      message.add(1, bytes(span.trace.0) + bytes(span.trace.1))
      message.add(2, bytes(span.id))
      if let parent = span.parent { message.add(4, bytes(parent)) }
      message.add(5, span.name)
      message.add(6, 1)
      message.add(7, fixed: span.start)
      message.add(8, fixed: span.end)
      for attribute in span.attributes { message.add(9, attribute.message) }
      for event in span.events { message.add(11, event) }
      for link in span.links {
        message.add(
          13,
          ProtobufMessage {
            $0.add(1, bytes(link.trace.0) + bytes(link.trace.1))
            $0.add(2, bytes(link.id))
          })
      }
      if span.hasFailed { message.add(15, ProtobufMessage { $0.add(3, 2) }) }
    }
  }

  // MARK: - Events

  /// Returns what a span says of the event that began it.
  func attributes(of event: TraceEvent) -> [OTLPAttribute] {
    var attributes = [
      OTLPAttribute("varve.kind", .text(event.kind?.name ?? "unknown")),
      OTLPAttribute("varve.event", .text(String(event.name))),
      OTLPAttribute("thread.name", .text(words.thread(event.ring))),
    ]
    if let id = words.definitions.threads[event.ring]?.systemID {
      attributes.append(OTLPAttribute("thread.id", .integer(Int64(clamping: id))))
    }
    if let place = event.isHop ? nil : words.places.exact(event.stream) {
      attributes.append(OTLPAttribute("code.file.path", .text(place.file)))
      attributes.append(OTLPAttribute("code.line.number", .integer(Int64(place.line))))
    }
    return attributes
  }

  /// Adds an event to a span, with its value.
  func add(_ event: TraceEvent, to span: inout OTLPSpan) {
    var attributes = [
      OTLPAttribute("varve.event", .text(String(event.name))),
      OTLPAttribute("varve.kind", .text(event.kind?.name ?? "unknown")),
    ]
    if let value = Self.value(event.payload) {
      attributes.append(OTLPAttribute("varve.value", value))
    }
    let payload = event.payload
    let isText = payload.kind == .string || payload.kind == .description || payload.kind == .bytes
    if isText, payload.word > UInt64(payload.bytes.count) {
      let bytes = Int64(clamping: payload.word)
      attributes.append(OTLPAttribute("varve.value_bytes", .integer(bytes)))
    }
    if let reason = event.reason { attributes.append(OTLPAttribute("varve.reason", .text(reason))) }
    let name = words.subject(event)
    let encoded =
      switch target {
      case .document:
        Array(
          JSONMembers().adding("timeUnixNano", "\"\(time(event.ticks))\"")
            .adding("name", JSONText.quoted(name))
            .adding("attributes", "[\(attributes.map(\.json).joined(separator: ","))]").text.utf8)
      case .requests:
        ProtobufMessage { message in
          message.add(1, fixed: time(event.ticks))
          message.add(2, name)
          for attribute in attributes { message.add(3, attribute.message) }
        }.bytes
      }
    span.size += encoded.count
    span.events.append(encoded)
    if event.kind == .failed { span.hasFailed = true }
  }

  private static func value(_ payload: EventPayload) -> OTLPAttribute.Value? {
    switch payload.kind {
    case .integer: .integer(Int64(bitPattern: payload.word))
    case .unsigned:
      Int64(exactly: payload.word).map { .integer($0) } ?? .text(String(payload.word))
    case .real: .real(Double(bitPattern: payload.word))
    case .boolean: .boolean(payload.word != 0)
    case .string, .description, .typeOnly: .text(payload.text)
    case .bytes:
      .text(payload.bytes.map { String(UInt16($0) | 256, radix: 16).dropFirst() }.joined())
    case .unit: .text("()")
    case .null: .text("nil")
    case .absent, .withheld, .stream, .reason, .cause, .task, .awaited, .made, nil: nil
    }
  }

  // MARK: - Ids

  private func time(_ ticks: UInt64) -> UInt64 {
    UInt64(
      max(TraceTime.sinceEpoch(words.nanoseconds(ticks), started: header.process.started), 0))
  }

  /// Returns the id of the trace that an event began: other ones in other recordings.
  private func traceID(_ root: EventName) -> (UInt64, UInt64) {
    let own = UInt64(header.id.description.prefix(16), radix: 16) ?? 0
    return (own, Self.mixed(Self.number(root)) ^ header.id.low)
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

  private static func hex(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private static func hex(_ id: (UInt64, UInt64)) -> String { hex(id.0) + hex(id.1) }

  private static func bytes(_ number: UInt64) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }
}
