internal import VarveAnalysis
internal import VarveFormat

/// A span that is open. One that has ended is used again, with its memory.
final class OTLPSpan {
  enum What: Equatable {
    case delivery, observation
    case work(UInt64)
  }

  /// What a span is called after.
  enum Name {
    case stream(UInt32)
    case scheduler(UInt32)
    case observed(UInt32, by: UInt32)
    /// The title of a task, for what happens to it.
    case task(String)
    /// A run of a task, by the task's own name, or by its scheduler if it has none.
    case run(String?, on: UInt32)
  }

  var name: Name
  var what: What
  /// The event that began the trace.
  var root: EventName
  /// The event that began the span.
  var start: EventName
  /// The kind of that event.
  var kind: UInt8
  /// The event that began the span around this one.
  var parent: EventName?
  /// The event that caused the span, if its span is not known.
  var cause: EventName?
  var from: UInt64
  var last: UInt64
  /// Why the observation ended, or what the task awaited after its run.
  var reason: String?
  /// The number of the task that ran.
  var task: UInt64?
  var links: [SpanNames.Span] = []
  /// The number of parts that were written.
  var parts = 0
  var hasFailed = false
  /// The events as they are written; nil before the first one.
  private(set) var events: ByteOutput?

  /// The memory that a span takes.
  static let bytes = 1_024
  /// The first size of the memory for events, and the greatest that is used again.
  private static let (leastBytes, mostSpareBytes) = (1 << 11, 1 << 14)

  init(_ name: Name, _ what: What, _ start: EventName, kind: UInt8, from: UInt64) {
    self.name = name
    self.what = what
    self.start = start
    self.kind = kind
    self.from = from
    root = start
    last = from
  }

  /// Makes a span that has ended another one.
  func begin(_ name: Name, _ what: What, _ start: EventName, kind: UInt8, from: UInt64) {
    self.name = name
    self.what = what
    self.start = start
    self.kind = kind
    self.from = from
    root = start
    last = from
    parent = nil
    cause = nil
    reason = nil
    task = nil
    parts = 0
    hasFailed = false
    removeEvents()
  }

  /// The size of the events, in bytes.
  var size: Int { events?.kept.count ?? 0 }

  /// Returns where events are written.
  func buffer() -> ByteOutput {
    if let events { return events }
    let new = ByteOutput(keeping: Self.leastBytes)
    events = new
    return new
  }

  /// Forgets the events and links, which were written.
  func removeEvents() {
    links.removeAll(keepingCapacity: true)
    guard let events else { return }
    if events.kept.count > Self.mostSpareBytes { self.events = nil } else { events.clear() }
  }
}

/// The spans that the events of a trace belong to: a span begins at an event and has those that
/// follow in the same ring, up to the next one. Those of long ago are forgotten.
final class SpanNames {
  struct Span: Hashable {
    var start: EventName
    var root: EventName
  }

  /// A span in 16 bytes: the ordinals have 40 bits.
  private struct Packed {
    private let low: UInt64
    private let high: UInt64

    private static let mask: UInt64 = 1 << 40 - 1

    init(_ start: EventName, root: EventName) {
      low = start.sequence & Self.mask | UInt64(root.ring) << 40
      high = root.sequence & Self.mask | UInt64(root.ring >> 24) << 40
    }

    var sequence: UInt64 { low & Self.mask }

    func span(on ring: UInt32) -> Span {
      let root = UInt32(low >> 40) | UInt32(high >> 40) << 24
      return Span(
        start: EventName(ring: ring, sequence: sequence),
        root: EventName(ring: root, sequence: high & Self.mask))
    }
  }

  /// The spans of a ring, in pieces: one array would be copied whenever it grows.
  private struct Pieces {
    private(set) var count = 0
    private var all: [[Packed]] = []

    private static let length = 1_024

    var last: Packed? { all.last?.last }

    mutating func append(_ span: Packed) {
      if all.last.map({ $0.count >= Self.length }) ?? true { all.append([]) }
      all[all.count - 1].append(span)
      count += 1
    }

    /// Removes about half of the spans, the older ones; returns how many.
    mutating func removeOlderHalf() -> Int {
      let before = count
      while count > before / 2, let first = all.first {
        let rest = count - before / 2
        if first.count <= rest {
          all.removeFirst()
        } else {
          all[0].removeFirst(rest)
        }
        count -= min(first.count, rest)
      }
      return before - count
    }

    /// Returns the last span that begins no later than an event; nil if there is none.
    func last(upTo sequence: UInt64) -> Packed? {
      let piece = Self.last(of: all, where: { $0[0].sequence <= sequence })
      return Self.last(of: piece ?? [], where: { $0.sequence <= sequence })
    }

    /// Returns the last element of those at the beginning for which something holds.
    private static func last<Element>(
      of all: [Element], where holds: (Element) -> Bool
    ) -> Element? {
      var (lower, upper) = (0, all.count)
      while lower < upper {
        let middle = (lower + upper) / 2
        if holds(all[middle]) { lower = middle + 1 } else { upper = middle }
      }
      return lower == 0 ? nil : all[lower - 1]
    }
  }

  private var spans: [UInt32: Pieces] = [:]
  private var count = 0
  /// The rings of which the first spans were forgotten.
  private var hasForgotten: Set<UInt32> = []
  private let walk: TraceWalk

  /// The number of spans that are remembered.
  private static let most = 1 << 17
  /// The least number of spans that are remembered of a ring.
  private static let fewest = 64

  init(_ walk: TraceWalk) { self.walk = walk }

  func add(_ start: EventName, root: EventName) {
    if count >= Self.most { forget(start.ring) }
    count += 1
    spans[start.ring, default: Pieces()].append(Packed(start, root: root))
  }

  /// Forgets the older half of the spans of a ring.
  private func forget(_ ring: UInt32) {
    guard let known = spans[ring]?.count, known > Self.fewest else { return }
    hasForgotten.insert(ring)
    count -= spans[ring]?.removeOlderHalf() ?? 0
  }

  /// Returns the span of an event; nil if the event is not in the trace or of too long ago.
  func span(of event: EventName) -> Span? {
    guard let spans = spans[event.ring], let last = spans.last else { return nil }
    if last.sequence <= event.sequence { return last.span(on: event.ring) }
    guard let span = spans.last(upTo: event.sequence) else {
      if hasForgotten.contains(event.ring) { walk.passOver(.work) }
      return nil
    }
    return span.span(on: event.ring)
  }
}
