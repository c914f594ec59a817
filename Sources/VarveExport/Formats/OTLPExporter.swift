public import VarveAnalysis
public import VarveFormat
internal import VarveProbe

/// Writes OpenTelemetry spans in the JSON form of OTLP, as a collector takes them at `/v1/traces`.
///
/// Each piece of work on a scheduler is a span inside the span that scheduled it. Each subscription
/// is a span, with its values and its end as span events. As OTLP demands, ids are hexadecimal and
/// 64-bit numbers are strings.
public struct OTLPExporter: TraceExporter {
  private let output: ByteOutput
  private let words: TraceWords
  private let header: TraceHeader
  private let traceID: String
  private var isFirst = true
  private var spans: [Key: Span] = [:]
  private var running: RunningHops
  private var last: UInt64 = 0
  private let walk: TraceWalk
  /// The work and subscriptions, and events in them, that could not be remembered until their end.
  public var passedOver: PassedOver { walk.passedOver }

  /// The default limit of events per span in OpenTelemetry's own libraries.
  private static let mostEvents = 128

  private enum Key: Hashable {
    case hop(UInt64)
    case edge(UInt64)
  }

  private struct Span {
    var name: String
    var start: String
    var parent: Key?
    var attributes: [String]
    var events: [String] = []
    var dropped = 0
    var hasFailed = false
    /// The memory that the span takes, in bytes.
    var bytes = 0
  }

  /// Prepares to export.
  public init(_ words: TraceWords, header: TraceHeader, output: ByteOutput) {
    self.words = words
    self.header = header
    self.output = output
    traceID = header.id.description
    walk = words.walk
    running = RunningHops(walk)
  }

  /// Describes the process.
  public mutating func begin() {
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

  /// Begins or ends a span, or adds an event to one.
  public mutating func write(_ event: TraceEvent) {
    last = event.ticks
    switch event.kind {
    case .hopScheduled:
      begin(.hop(event.subscription), words.scheduler(event.stream), event, "scheduler")
    case .hopBegan:
      let key = Key.hop(event.subscription)
      if spans[key] == nil { begin(key, words.scheduler(event.stream), event, "scheduler") }
      note("began", event, in: key)
      running.begin(.init(number: event.subscription, scheduler: event.stream), ring: event.ring)
    case .hopEnded, .hopCancelled:
      running.end(event.subscription, ring: event.ring)
      if event.kind == .hopCancelled { note("cancelled", event, in: .hop(event.subscription)) }
      finish(.hop(event.subscription), at: event.ticks)
    case .subscribed:
      let fed = UInt32(truncatingIfNeeded: event.payload.word)
      let name = fed == 0 ? "\(words.stream(event.stream)), observed" : words.stream(fed)
      begin(.edge(event.subscription), name, event, "subscription")
    case .ended: finish(.edge(event.subscription), at: event.ticks)
    case .value, .failed, .completed, .interrupted, .absorbed:
      let edge = Key.edge(event.subscription)
      guard let key = spans[edge] != nil ? edge : runningHop(event.ring) else { return }
      note(words.stream(event.stream), event, in: key)
      if event.kind == .failed { spans[key]?.hasFailed = true }
    case .assembled, .log, .mark, .skipped, .sent, .waitBegan, .waitEnded, .read, nil: break
    }
  }

  /// Ends the open spans and the document.
  public mutating func end() {
    for key in spans.keys.sorted(by: { Self.parts(of: $0) < Self.parts(of: $1) }) {
      finish(key, at: last)
    }
    output.write("\n]}]}]}\n")
  }

  /// Returns the innermost work that a thread is running.
  private func runningHop(_ ring: UInt32) -> Key? {
    running.stacks[ring]?.last.map { .hop($0.number) }
  }

  private mutating func begin(_ key: Key, _ name: String, _ event: TraceEvent, _ kind: String) {
    var span = Span(
      name: name, start: time(event.ticks), parent: runningHop(event.ring),
      attributes: [
        Self.attribute("varve.kind", text: kind),
        Self.attribute("varve.event", text: String(event.name)),
        Self.attribute("thread.name", text: words.thread(event.ring)),
      ])
    if let place = event.isHop ? nil : words.places.exact(event.stream) {
      span.attributes.append(Self.attribute("code.file.path", text: place.file))
      span.attributes.append(Self.attribute("code.line.number", number: Int64(place.line)))
    }
    span.bytes = span.attributes.reduce(Self.spanBytes + name.utf8.count) { $0 + $1.utf8.count }
    if let earlier = spans.removeValue(forKey: key) { walk.giveBack(earlier.bytes) }
    guard walk.take(span.bytes, or: event.isHop ? .work : .observations) else { return }
    spans[key] = span
  }

  /// The memory that a span takes besides its name and attributes, in bytes.
  private static let spanBytes = 512
  /// The memory that an event of a span takes besides its text, in bytes.
  private static let eventBytes = 48

  private mutating func note(_ name: String, _ event: TraceEvent, in key: Key) {
    guard let count = spans[key]?.events.count else { return }
    guard count < Self.mostEvents else {
      spans[key]?.dropped += 1
      return
    }
    let attributes = [
      Self.attribute("varve.event", text: String(event.name)),
      Self.attribute("varve.what", text: words.predicate(event)),
    ]
    let text =
      JSONMembers().adding("timeUnixNano", "\"\(time(event.ticks))\"")
      .adding("name", JSONText.quoted(name))
      .adding("attributes", "[\(attributes.joined(separator: ","))]").text
    let bytes = Self.eventBytes + text.utf8.count
    guard walk.take(bytes) else {
      spans[key]?.dropped += 1
      return
    }
    spans[key]?.bytes += bytes
    spans[key]?.events.append(text)
  }

  private mutating func finish(_ key: Key, at ticks: UInt64) {
    guard let span = spans.removeValue(forKey: key) else { return }
    walk.giveBack(span.bytes)
    var members = JSONMembers().adding("traceId", "\"\(traceID)\"")
      .adding("spanId", "\"\(Self.id(key))\"")
    if let parent = span.parent {
      members = members.adding("parentSpanId", "\"\(Self.id(parent))\"")
    }
    members =
      members
      .adding("name", JSONText.quoted(span.name)).adding("kind", "1")
      .adding("startTimeUnixNano", "\"\(span.start)\"")
      .adding("endTimeUnixNano", "\"\(time(ticks))\"")
      .adding("attributes", "[\(span.attributes.joined(separator: ","))]")
      .adding("events", "[\(span.events.joined(separator: ","))]")
      .adding("droppedEventsCount", String(span.dropped))
      .adding("status", span.hasFailed ? "{\"code\":2}" : "{}")
    output.write((isFirst ? "\n" : ",\n") + members.text)
    isFirst = false
  }

  private func time(_ ticks: UInt64) -> String {
    String(TraceTime.sinceEpoch(words.nanoseconds(ticks), started: header.process.started))
  }

  /// Returns the id of a span. Hops and subscriptions have separate numbers: the first digit says
  /// which of the two it is.
  private static func id(_ key: Key) -> String {
    let (kind, number) = parts(of: key)
    let digits = String(number, radix: 16)
    return String(kind) + String(repeating: "0", count: 15 - digits.count) + digits
  }

  private static func parts(of key: Key) -> (kind: Int, number: UInt64) {
    switch key {
    case .hop(let number): (1, number & 0xfff_ffff_ffff_ffff)
    case .edge(let number): (2, number & 0xfff_ffff_ffff_ffff)
    }
  }

  private static func attribute(_ key: String, text: String) -> String {
    "{\"key\":\"\(key)\",\"value\":{\"stringValue\":\(JSONText.quoted(text))}}"
  }

  private static func attribute(_ key: String, number: Int64) -> String {
    "{\"key\":\"\(key)\",\"value\":{\"intValue\":\"\(number)\"}}"
  }
}
