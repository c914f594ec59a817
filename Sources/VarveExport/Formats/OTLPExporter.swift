public import VarveAnalysis
public import VarveFormat
internal import VarveProbe

/// Writes OpenTelemetry spans as a collector takes them at `/v1/traces`: a document in JSON, or requests
/// in protobuf.
///
/// A span is what one event set off on its thread: a delivery, with all that was delivered because of
/// it, or a piece of work on a scheduler. Its events are the trace's, all of them. What work was
/// scheduled by, or sent from, another span is inside that one; other causes are links. So each event
/// without a cause begins a trace. Observations are spans too, without events.
///
/// A span of very many events is written in parts, so that memory stays bounded. As OTLP demands,
/// ids are hexadecimal and 64-bit numbers are strings.
public struct OTLPExporter: EventwiseExporter {
  private var words: TraceWords
  private let header: TraceHeader
  private let losses: [TraceLoss]
  private var form: OTLPForm
  private var names: SpanNames
  /// The spans that are open on each thread, the innermost last.
  private var open: [UInt32: [OTLPSpan]] = [:]
  private var observations: [UInt64: OTLPSpan] = [:]
  private var last: UInt64 = 0
  private let walk: TraceWalk

  /// The observations, and links to spans of long ago, that could not be remembered.
  public var passedOver: PassedOver { walk.passedOver }

  /// The size of a span's events, in bytes, from which it is written in parts.
  private static let mostBytes = 1 << 20

  /// Prepares to export.
  public init(
    _ words: TraceWords, header: TraceHeader, losses: [TraceLoss] = [], output: ByteOutput
  ) {
    self.words = words
    self.header = header
    self.losses = losses
    form = OTLPForm(words, header, .document(output))
    walk = words.walk
    names = SpanNames(words.walk)
  }

  /// Prepares to export into requests in protobuf, as a collector takes them.
  package init(
    _ words: TraceWords, header: TraceHeader, losses: [TraceLoss] = [], requests: OTLPRequests
  ) {
    self.words = words
    self.header = header
    self.losses = losses
    form = OTLPForm(words, header, .requests(requests))
    walk = words.walk
    names = SpanNames(words.walk)
  }

  /// Goes on with a later part of a trace that is being recorded. What is remembered counts against
  /// the memory of the first part.
  package mutating func goOn(with words: TraceWords) {
    self.words = words
    form = form.renewed(words)
  }

  /// Describes the process, and writes what was lost.
  public mutating func begin() {
    form.begin()
    for (number, loss) in losses.enumerated() { form.write(loss, number) }
  }

  /// Ends the open spans and the document.
  public mutating func end() {
    for ring in open.keys.sorted() {
      while var span = open[ring]?.popLast() { finish(&span, last) }
    }
    for edge in observations.keys.sorted() {
      if var span = observations[edge] { finish(&span, last) }
    }
    form.end()
  }

  /// Begins or ends a span, or adds an event to one.
  public mutating func write(_ event: TraceEvent) {
    last = max(last, event.ticks)
    switch event.kind {
    case .hopBegan:
      endDelivery(event.ring)
      push(span(words.scheduler(event.stream), .work(event.subscription), event), event)
    case .hopEnded:
      guard let depth = open[event.ring]?.lastIndex(where: { $0.what == .work(event.subscription) })
      else { return add(event) }
      while (open[event.ring]?.count ?? 0) > depth, var span = open[event.ring]?.popLast() {
        finish(&span, span.what == .delivery ? span.last : event.ticks)
      }
    case .subscribed: observe(event)
    case .ended:
      guard var span = observations.removeValue(forKey: event.subscription) else {
        return add(event)
      }
      span.attributes.append(OTLPAttribute("varve.reason", .text(event.reason ?? "unknown")))
      walk.giveBack(OTLPSpan.bytes)
      finish(&span, event.ticks)
    default: add(event)
    }
  }

  // MARK: - Spans

  /// Begins a span as part of the trace of its first cause; its other causes become links.
  private mutating func span(
    _ name: String, _ what: OTLPSpan.What, _ event: TraceEvent
  ) -> OTLPSpan {
    let parent = event.causes.first.flatMap { names.span(of: $0) }
    var span = OTLPSpan(
      name: name, what: what, root: parent?.root ?? event.name, start: event.name,
      parent: parent?.start, from: event.ticks)
    span.attributes = form.attributes(of: event)
    if parent == nil, let cause = event.causes.first {
      span.attributes.append(OTLPAttribute("varve.cause", .text(String(cause))))
    }
    link(&span, event.causes.dropFirst())
    return span
  }

  /// Adds links to the spans of causes, as far as they are others than the span and its parent.
  private mutating func link(_ span: inout OTLPSpan, _ causes: ArraySlice<EventName>) {
    for cause in causes {
      guard let other = names.span(of: cause), other.start != span.start,
        other.start != span.parent, !span.links.contains(other)
      else { continue }
      span.links.append(other)
    }
  }

  private mutating func push(_ span: OTLPSpan, _ event: TraceEvent) {
    names.add(span.start, root: span.root)
    open[event.ring, default: []].append(span)
  }

  private mutating func endDelivery(_ ring: UInt32) {
    guard open[ring]?.last?.what == .delivery, var span = open[ring]?.popLast() else { return }
    finish(&span, span.last)
  }

  /// Adds an event to the innermost span of its thread if that set it off, else to a new one.
  private mutating func add(_ event: TraceEvent) {
    let cause = event.causes.first
    let top = open[event.ring]?.last
    let isWithin = top.map { top in
      if let cause, cause.ring == event.ring, cause.sequence >= top.start.sequence { return true }
      return top.what != .delivery
    }
    if isWithin != true {
      endDelivery(event.ring)
      // Work that runs on the thread is what a delivery is part of, if nothing else is.
      if open[event.ring]?.isEmpty ?? true {
        push(span(words.subject(event), .delivery, event), event)
      }
    }
    guard let depth = open[event.ring]?.indices.last, var span = open[event.ring]?[depth] else {
      return
    }
    // The span is taken out while it changes, so that its events are not copied.
    open[event.ring]?[depth].events = []
    let far = event.causes.drop { $0.ring == event.ring && $0.sequence >= span.start.sequence }
    link(&span, far)
    form.add(event, to: &span)
    span.last = max(span.last, event.ticks)
    if span.size > Self.mostBytes { writePart(of: &span, event) }
    open[event.ring]?[depth] = span
  }

  /// Writes the events that a span has so far, as a part of its own.
  private func writePart(of span: inout OTLPSpan, _ event: TraceEvent) {
    span.parts += 1
    form.write(span, part: span.parts, to: event.ticks)
    span.events = []
    span.links = []
    span.size = 0
  }

  private func finish(_ span: inout OTLPSpan, _ end: UInt64) {
    if span.parts > 0 { span.parts += 1 }
    form.write(span, part: span.parts, to: max(end, span.from))
  }

  private mutating func observe(_ event: TraceEvent) {
    guard walk.take(OTLPSpan.bytes, or: .observations) else { return }
    let fed = SubscriptionPayload(word: event.payload.word).stream
    let name =
      words.stream(event.stream) + ", observed" + (fed == 0 ? "" : " by \(words.stream(fed))")
    let span = span(name, .observation, event)
    if open[event.ring]?.isEmpty ?? true { names.add(span.start, root: span.root) }
    if var earlier = observations.updateValue(span, forKey: event.subscription) {
      walk.giveBack(OTLPSpan.bytes)
      finish(&earlier, event.ticks)
    }
  }
}

/// A span that is open.
struct OTLPSpan {
  enum What: Equatable {
    case delivery, observation
    case work(UInt64)
  }

  var name: String
  var what: What
  /// The event that began the trace.
  var root: EventName
  /// The event that began the span.
  var start: EventName
  var parent: EventName?
  var from: UInt64
  var last: UInt64
  var attributes: [OTLPAttribute] = []
  var events: [[UInt8]] = []
  /// The size of the events, in bytes.
  var size = 0
  var links: [SpanNames.Span] = []
  /// The number of parts that were written.
  var parts = 0
  var hasFailed = false

  /// The memory that an observation takes.
  static let bytes = 1_024

  init(
    name: String, what: What, root: EventName, start: EventName, parent: EventName?, from: UInt64
  ) {
    self.name = name
    self.what = what
    self.root = root
    self.start = start
    self.parent = parent
    self.from = from
    last = from
  }
}

/// The spans that the events of a trace belong to: a span begins at an event and has those that
/// follow in the same ring, up to the next one.
struct SpanNames {
  struct Span: Hashable {
    var start: EventName
    var root: EventName
  }

  private var spans: [UInt32: [Span]] = [:]
  /// The rings of which the first spans were forgotten.
  private var hasForgotten: Set<UInt32> = []
  private let walk: TraceWalk

  private static let bytes = 64
  /// The least number of spans that are remembered of a ring.
  private static let fewest = 64

  init(_ walk: TraceWalk) { self.walk = walk }

  mutating func add(_ start: EventName, root: EventName) {
    if !walk.take(Self.bytes) { forget(start.ring) }
    spans[start.ring, default: []].append(Span(start: start, root: root))
  }

  /// Forgets the older half of the spans of a ring.
  private mutating func forget(_ ring: UInt32) {
    guard let count = spans[ring]?.count, count > Self.fewest else { return }
    spans[ring]?.removeFirst(count / 2)
    hasForgotten.insert(ring)
    walk.giveBack(Self.bytes * (count / 2 - 1))
  }

  /// Returns the span of an event; nil if the event is not in the trace or of too long ago.
  func span(of event: EventName) -> Span? {
    guard let spans = spans[event.ring] else { return nil }
    var (lower, upper) = (0, spans.count)
    while lower < upper {
      let middle = (lower + upper) / 2
      if spans[middle].start.sequence <= event.sequence {
        lower = middle + 1
      } else {
        upper = middle
      }
    }
    if lower == 0 {
      if hasForgotten.contains(event.ring) { walk.passOver(.work) }
      return nil
    }
    return spans[lower - 1]
  }
}
