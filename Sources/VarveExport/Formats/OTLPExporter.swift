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
public struct OTLPExporter: TraceExporter {
  private let losses: [TraceLoss]
  private var form: OTLPForm
  private let names: SpanNames
  /// The spans that are open on each thread, the innermost last.
  private var threads: [UInt32: OTLPThread] = [:]
  private var observations: [UInt64: OTLPSpan] = [:]
  /// Spans that have ended, to be used again.
  private var spare: [OTLPSpan] = []
  /// The size of the events of all open spans, in bytes.
  private var held = 0
  private var last: UInt64 = 0
  private var tasks: NamedTasks
  private let walk: TraceWalk

  /// The observations, and links to spans of long ago, that could not be remembered.
  public var passedOver: PassedOver { walk.passedOver }

  /// The size of a span's events, in bytes, and the number of its links, from which it is written
  /// in parts.
  private static let (mostBytes, mostLinks) = (1 << 17, 1 << 10)
  /// The size of the events of all open spans, in bytes, from which those that are not tiny are
  /// written in parts.
  private static let (mostHeld, tiny) = (1 << 20, 1 << 14)
  private static let mostSpare = 32

  /// Prepares to export.
  public init(
    _ words: TraceWords, header: TraceHeader, losses: [TraceLoss] = [], output: ByteOutput
  ) {
    self.init(words, losses, OTLPForm(words, header, .document(output)))
  }

  /// Prepares to export into requests in protobuf, as a collector takes them.
  package init(
    _ words: TraceWords, header: TraceHeader, losses: [TraceLoss] = [], requests: OTLPRequests
  ) {
    self.init(words, losses, OTLPForm(words, header, .requests(requests)))
  }

  private init(_ words: TraceWords, _ losses: [TraceLoss], _ form: OTLPForm) {
    self.losses = losses
    self.form = form
    walk = words.walk
    names = SpanNames(words.walk)
    tasks = NamedTasks(words)
  }

  /// Goes on with a later part of a trace that is being recorded. What is remembered counts against
  /// the memory of the first part.
  package mutating func goOn(with words: TraceWords) {
    form = form.renewed(words)
    tasks.goOn(with: words)
  }

  /// Describes the process, and writes what was lost.
  public mutating func begin() {
    form.begin()
    for (number, loss) in losses.enumerated() { form.write(loss, number) }
  }

  /// Ends the open spans and the document.
  public mutating func end() {
    for ring in threads.keys.sorted() {
      while let span = threads[ring]?.open.popLast() { finish(span, last) }
    }
    for edge in observations.keys.sorted() {
      if let span = observations[edge] { finish(span, last) }
    }
    form.end()
  }

  /// Begins and ends spans, and adds events to them.
  public mutating func write(_ page: EventPage) {
    page.forEachRun { entries, block in
      let thread = threads[block.ring] ?? begin(block.ring)
      for entry in entries { write(Int(entry.index), block, thread) }
    }
  }

  private mutating func begin(_ ring: UInt32) -> OTLPThread {
    let thread = OTLPThread()
    threads[ring] = thread
    return thread
  }

  private mutating func write(
    _ index: Int, _ block: ColumnPointers, _ thread: OTLPThread
  ) {
    let ticks = block.ticks[index]
    last = max(last, ticks)
    let kind = RecordKind(rawValue: block.kinds[index])
    let task = kind.flatMap { tasks.note($0, index, block) }
    switch kind {
    case .hopBegan:
      endDelivery(thread)
      guard walk.take(OTLPSpan.bytes, or: .work) else { return add(index, block, task, thread) }
      let work = OTLPSpan.What.work(block.subscriptions[index])
      let scheduler = block.streams[index]
      let name = task.map { OTLPSpan.Name.run($0.name, on: scheduler) } ?? .scheduler(scheduler)
      let span = span(name, work, index, block)
      span.task = task?.number
      push(span, thread)
    case .hopEnded:
      _ = tasks.noteEnd(index, block)
      let work = OTLPSpan.What.work(block.subscriptions[index])
      guard let depth = thread.open.lastIndex(where: { $0.what == work }) else {
        return add(index, block, task, thread)
      }
      thread.open[depth].reason = Self.reason(index, block)
      while thread.open.count > depth, let span = thread.open.popLast() {
        finish(span, span.what == .delivery ? span.last : ticks)
      }
    case .subscribed: observe(index, block, thread)
    case .ended:
      guard let span = observations.removeValue(forKey: block.subscriptions[index]) else {
        return add(index, block, task, thread)
      }
      span.reason = Self.reason(index, block) ?? "unknown"
      finish(span, ticks)
    default: add(index, block, task, thread)
    }
  }

  /// Returns the reason that an event has, if any.
  static func reason(_ index: Int, _ block: ColumnPointers) -> String? {
    let (kind, payload) = (block.kinds[index], block.payloadKinds[index])
    guard payload >= PayloadKind.reason.rawValue, RecordKind(rawValue: kind) != nil else {
      return nil
    }
    return ReasonNames.name(kind: kind, payload: payload, word: block.words[index])
  }

  // MARK: - Spans

  /// Begins a span as part of the trace of its first cause; its other causes become links.
  private mutating func span(
    _ name: OTLPSpan.Name, _ what: OTLPSpan.What, _ index: Int, _ block: ColumnPointers
  ) -> OTLPSpan {
    let (start, kind, ticks) = (block.name(index), block.kinds[index], block.ticks[index])
    let span: OTLPSpan
    if what != .observation, let spare = spare.popLast() {
      span = spare
      span.begin(name, what, start, kind: kind, from: ticks)
    } else {
      span = OTLPSpan(name, what, start, kind: kind, from: ticks)
    }
    guard let cause = block.nearestCause(index) else { return span }
    if let parent = names.span(of: cause) {
      span.root = parent.root
      span.parent = parent.start
    } else {
      span.cause = cause
    }
    guard block.hasNamedCauses else { return span }
    block.forEachCause(of: index) { if $0 != cause { link(span, $0) } }
    return span
  }

  /// Adds a link to the span of a cause, if that is another than the span and its parent.
  private func link(_ span: OTLPSpan, _ cause: EventName) {
    guard let other = names.span(of: cause), other.start != span.start, other.start != span.parent,
      !span.links.contains(other)
    else { return }
    span.links.append(other)
  }

  private func push(_ span: OTLPSpan, _ thread: OTLPThread) {
    names.add(span.start, root: span.root)
    thread.open.append(span)
  }

  private mutating func endDelivery(_ thread: OTLPThread) {
    guard thread.open.last?.what == .delivery, let span = thread.open.popLast() else { return }
    finish(span, span.last)
  }

  /// Adds an event to the innermost span of its thread if that set it off, else to a new one.
  private mutating func add(
    _ index: Int, _ block: ColumnPointers, _ task: NamedTask?, _ thread: OTLPThread
  ) {
    let cause = block.nearestCause(index)
    if let top = thread.open.last, top.what == .delivery {
      if cause?.ring != block.ring || cause.map({ $0.sequence < top.start.sequence }) ?? true {
        endDelivery(thread)
      }
    }
    // Work that runs on the thread is what a delivery is part of, if nothing else is.
    if thread.open.isEmpty {
      push(span(form.subject(index, block, task), .delivery, index, block), thread)
    }
    guard let span = thread.open.last else { return }
    if block.hasNamedCauses {
      var isFar = false
      block.forEachCause(of: index) { cause in
        isFar = isFar || cause.ring != block.ring || cause.sequence < span.start.sequence
        if isFar { link(span, cause) }
      }
    } else if let cause, cause.sequence < span.start.sequence {
      link(span, cause)
    }
    let ticks = block.ticks[index]
    held += form.add(index, block, task, to: span)
    span.last = max(span.last, ticks)
    if span.size > Self.mostBytes || span.links.count > Self.mostLinks
      || held > Self.mostHeld && span.size > Self.tiny
    {
      writePart(of: span, ticks)
    }
  }

  /// Writes the events that a span has so far, as a part of its own.
  private mutating func writePart(of span: OTLPSpan, _ ticks: UInt64) {
    span.parts += 1
    form.write(span, part: span.parts, to: ticks)
    held -= span.size
    span.removeEvents()
  }

  private mutating func finish(_ span: OTLPSpan, _ end: UInt64) {
    if span.parts > 0 { span.parts += 1 }
    form.write(span, part: span.parts, to: max(end, span.from))
    held -= span.size
    if span.what != .delivery { walk.giveBack(OTLPSpan.bytes) }
    if span.what != .observation, spare.count < Self.mostSpare { spare.append(span) }
  }

  private mutating func observe(
    _ index: Int, _ block: ColumnPointers, _ thread: OTLPThread
  ) {
    guard walk.take(OTLPSpan.bytes, or: .observations) else { return }
    let fed = SubscriptionPayload(word: block.words[index]).stream
    let name = OTLPSpan.Name.observed(block.streams[index], by: fed)
    let span = span(name, .observation, index, block)
    if thread.open.isEmpty { names.add(span.start, root: span.root) }
    if let earlier = observations.updateValue(span, forKey: block.subscriptions[index]) {
      finish(earlier, block.ticks[index])
    }
  }
}

/// The spans that are open on a thread, the innermost last.
private final class OTLPThread { var open: [OTLPSpan] = [] }
