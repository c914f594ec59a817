internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// Where a slice or an instant is drawn.
enum TrackPlace {
  case thread(UInt32)
  case stream(track: Int, lane: Int)
}

/// What a counter counts.
enum TrackCounter {
  case stream(track: Int)
  case queue(scheduler: UInt32)
}

/// An event with what its texts are made of.
struct TrackEvent {
  var kind: RecordKind
  var name: EventName
  var stream: UInt32
  var payload: PayloadKind?
  var word: UInt64
  var text: UnsafeBufferPointer<UInt8>
  /// Nanoseconds since the start.
  var time: UInt64
  /// Whether an arrow begins here.
  var isCause: Bool
  /// The first event from which an arrow leads here. Few have another one.
  var cause: EventName?
  /// The other events from which arrows lead here; valid until the next event is drawn.
  var otherCauses: UnsafeBufferPointer<EventName>
  /// The task that the event is about, or that it lets run.
  var task: NamedTask?

  /// The value if it is a number.
  var number: Double? {
    switch payload {
    case .integer: Double(Int64(bitPattern: word))
    case .unsigned: Double(word)
    case .real: Double(bitPattern: word)
    default: nil
    }
  }

  /// The reason why something ended, was absorbed, or is waited for.
  var reason: String? {
    payload.flatMap {
      $0.rawValue < PayloadKind.reason.rawValue
        ? nil : ReasonNames.name(kind: kind.rawValue, payload: $0.rawValue, word: word)
    }
  }

  /// The task that made the one which the event is about.
  var maker: UInt64? { payload == .made ? payload?.task(in: word) : nil }

  /// A number for the arrows that begin at an event.
  static func arrow(_ name: EventName) -> UInt64 {
    let word = UInt64(name.ring & EventName.ringBits) << 40 ^ name.sequence
    return word ^ UInt64(EventName.recording(name.ring)) &* 0x9e37_79b9_7f4a_7c15
  }
}

/// A format with tracks, slices, instants, arrows and counters.
protocol TrackForm {
  mutating func begin(_ event: TrackEvent, on place: TrackPlace)
  mutating func instant(_ event: TrackEvent, on place: TrackPlace)
  /// Ends a slice; that of a task's run tells what the task does then.
  mutating func end(_ time: UInt64, then: String?, on place: TrackPlace)
  mutating func count(_ counter: TrackCounter, _ value: Double, at time: UInt64)
  /// Writes an instant that is no event, outside the order of time.
  mutating func note(_ text: String, at time: UInt64, ring: UInt32)
}

/// Decides what is drawn of a trace, and where.
///
/// On the track of a thread: work of schedulers, runs of tasks and waiting as slices, events of
/// unnamed streams, of schedulers and of tasks, and marks as instants. On the track of a named
/// stream: its observations as slices,
/// its events as instants. Arrows lead from each event to those that it caused, as far as both are
/// drawn.
struct TrackExport {
  private(set) var tracks: StreamTracks
  private var running: RunningHops
  private var depths = NumberTable<Int64>()
  private let others = OtherCauses()
  private let marks: CauseMarks
  private let words: TraceWords
  private var tasks: NamedTasks

  /// A wait among the work of a thread: no work has such a number.
  private static let wait: UInt64 = 1 << 63
  /// The number of schedulers whose queues are counted.
  private static let mostQueues = 65_536

  init(_ words: TraceWords, _ processes: TrackProcesses, _ marks: CauseMarks) {
    self.words = words
    self.marks = marks
    tracks = StreamTracks(words.definitions, processes, words.walk)
    running = RunningHops(words.walk)
    tasks = NamedTasks(words)
  }

  var passedOver: PassedOver { words.walk.passedOver + marks.passedOver }

  /// Draws where events are missing.
  func write(_ losses: [TraceLoss], to form: inout some TrackForm) {
    for loss in losses {
      let what = loss.reason == .notDefined ? "definition" : "event"
      let text = "\(loss.count) \(what)\(loss.count == 1 ? "" : "s") lost"
      let time = UInt64(max(words.nanoseconds(loss.ticks.lowerBound), 0))
      form.note(text, at: time, ring: loss.ring)
    }
  }

  /// Draws the due events of a page.
  mutating func write(_ page: EventPage, to form: inout some TrackForm) {
    page.forEachRun { entries, block in
      others.place = -1
      for entry in entries {
        let index = Int(entry.index)
        guard let kind = RecordKind(rawValue: block.kinds[index]) else { continue }
        write(kind, index, block, to: &form)
      }
    }
    marks.advance(by: page.due.count)
  }

  private mutating func write(
    _ kind: RecordKind, _ index: Int, _ block: ColumnPointers,
    to form: inout some TrackForm
  ) {
    let subscription = block.subscriptions[index]
    let stream = block.streams[index]
    let thread = TrackPlace.thread(block.ring)
    switch kind {
    case .assembled, .sent, .read: break
    case .hopScheduled:
      let event = event(kind, index, block)
      form.instant(event, on: thread)
      queue(stream, 1, event.time, &form)
    case .hopBegan:
      let event = event(kind, index, block)
      if block.backs[index] != 0 { queue(stream, -1, event.time, &form) }
      guard running.begin(.init(number: subscription, scheduler: stream), ring: block.ring) else {
        return
      }
      form.begin(event, on: thread)
    case .hopEnded:
      let then = tasks.noteEnd(index, block)
      end(subscription, block, index, then: then, &form)
    case .hopCancelled:
      let event = event(kind, index, block)
      form.instant(event, on: thread)
      queue(stream, -1, event.time, &form)
    case .subscribed:
      guard let lane = tracks.begin(subscription, of: stream) else { return }
      form.begin(
        event(kind, index, block), on: .stream(track: lane.track, lane: lane.lane))
    case .ended:
      guard let lane = tracks.end(subscription) else { return }
      form.end(time(index, block), then: nil, on: .stream(track: lane.track, lane: lane.lane))
    case .waitBegan:
      let wait = Self.wait | block.name(index).sequence
      guard running.begin(.init(number: wait, scheduler: 0), ring: block.ring) else { return }
      form.begin(event(kind, index, block), on: thread)
    case .waitEnded:
      guard let began = block.nearestCause(index), began.ring == block.ring else { return }
      end(Self.wait | began.sequence, block, index, then: nil, &form)
    case .log, .mark, .taskCreated, .taskCancelled, .taskFailed, .taskFailureRead, .hopSampled,
      .errorThrown:
      form.instant(event(kind, index, block), on: thread)
    case .value, .failed, .completed, .interrupted, .absorbed, .skipped:
      let event = event(kind, index, block)
      guard let track = tracks[stream] else { return form.instant(event, on: thread) }
      form.instant(event, on: .stream(track: track, lane: 0))
      if kind == .value, let number = event.number {
        form.count(.stream(track: track), number, at: event.time)
      }
    }
  }

  /// Ends work of a thread, and all within it whose end is not in the trace.
  private mutating func end(
    _ number: UInt64, _ block: ColumnPointers, _ index: Int, then: String?,
    _ form: inout some TrackForm
  ) {
    let before = running.stacks[block.ring]?.count ?? 0
    guard running.end(number, ring: block.ring) else { return }
    let after = running.stacks[block.ring]?.count ?? 0
    let time = time(index, block)
    for depth in (after..<before).reversed() {
      form.end(time, then: depth == after ? then : nil, on: .thread(block.ring))
    }
  }

  private mutating func queue(
    _ scheduler: UInt32, _ change: Int64, _ time: UInt64, _ form: inout some TrackForm
  ) {
    guard let depth = depths[scheduler] ?? (depths.count < Self.mostQueues ? 0 : nil) else {
      return
    }
    // Work that was scheduled before the recording began was not counted.
    depths[scheduler] = max(depth + change, 0)
    form.count(.queue(scheduler: scheduler), Double(max(depth + change, 0)), at: time)
  }

  @inline(__always)
  private func time(_ index: Int, _ block: ColumnPointers) -> UInt64 {
    UInt64(max(words.nanoseconds(block.ticks[index]), 0))
  }

  @inline(__always)
  private mutating func event(
    _ kind: RecordKind, _ index: Int, _ block: ColumnPointers
  ) -> TrackEvent {
    var first: EventName?
    others.clear()
    let causes = block.causes(of: index, from: &others.place)
    if let near = causes.near, marks.isBegun(near) { first = near }
    if !causes.named.isEmpty {
      block.forEachNamed(of: causes) { cause in
        guard marks.isBegun(cause) else { return }
        if first == nil { first = cause } else { others.add(cause) }
      }
    }
    let name = block.name(index)
    return TrackEvent(
      kind: kind, name: name, stream: block.streams[index],
      payload: PayloadKind(rawValue: block.payloadKinds[index]), word: block.words[index],
      text: block.text(index), time: time(index, block), isCause: marks.begin(name),
      cause: first, otherCauses: others.all, task: tasks.note(kind, index, block))
  }
}

/// Gathers the causes of an event after the first, in memory that is used again and again.
private final class OtherCauses {
  /// Where the named causes of the event before begin, as `ColumnPointers` has it.
  @exclusivity(unchecked) var place = -1
  // Safety: it belongs to the export, and nothing calls out while it changes.
  @exclusivity(unchecked) private var memory = UnsafeMutableBufferPointer<EventName>
    .allocate(capacity: 16)
  @exclusivity(unchecked) private var count = 0

  deinit { memory.deallocate() }

  var all: UnsafeBufferPointer<EventName> {
    UnsafeBufferPointer(UnsafeMutableBufferPointer(rebasing: memory[..<count]))
  }

  func clear() { count = 0 }

  func add(_ cause: EventName) {
    if count == memory.count { grow() }
    memory[count] = cause
    count += 1
  }

  private func grow() {
    let larger = UnsafeMutableBufferPointer<EventName>.allocate(capacity: 2 * count)
    _ = larger.initialize(from: memory)
    memory.deallocate()
    memory = larger
  }
}

/// Which names of slices and instants recur: those of streams and schedulers that are defined.
struct TrackKeys {
  private let streams: NumberTable<Void>
  private let schedulers: NumberTable<Void>

  init(_ definitions: TraceDefinitions) {
    streams = NumberTable(definitions.streams.keys.lazy.map { ($0, ()) })
    schedulers = NumberTable(definitions.schedulers.keys.lazy.map { ($0, ()) })
  }

  /// Returns a key of the name of an event's slice or instant; nil if few others have that name.
  func key(_ event: TrackEvent) -> UInt64? {
    if event.task != nil { return nil }
    switch event.kind {
    case .log, .mark: return nil
    case .hopScheduled, .hopBegan, .hopEnded, .hopCancelled:
      guard schedulers[event.stream] != nil else { return nil }
      return UInt64(event.stream) << 8 | UInt64(event.kind.rawValue)
    case .subscribed:
      let fed = SubscriptionPayload(word: event.word).stream
      guard fed == 0 || streams[fed] != nil else { return nil }
      return UInt64(fed) << 8 | UInt64(event.kind.rawValue)
    case .assembled, .ended, .value, .failed, .completed, .interrupted, .absorbed, .skipped, .sent,
      .waitBegan, .waitEnded, .read, .taskCreated, .taskCancelled, .taskFailed, .taskFailureRead,
      .hopSampled, .errorThrown:
      guard event.stream == 0 || streams[event.stream] != nil else { return nil }
      return UInt64(event.stream) << 8 | UInt64(event.kind.rawValue)
    }
  }
}

extension TraceWords {
  /// Returns the name of an event's slice or instant.
  func trackName(_ event: TrackEvent) -> String {
    switch event.kind {
    case .value: return stream(event.stream)
    case .log, .mark: return TerminalText.escaped(String(decoding: event.text, as: UTF8.self))
    case .hopScheduled: return "give to \(scheduler(event.stream))"
    case .hopBegan, .hopEnded: return event.task?.title ?? scheduler(event.stream)
    case .hopCancelled: return "\(scheduler(event.stream)) cancelled"
    case .subscribed:
      let fed = SubscriptionPayload(word: event.word).stream
      return fed == 0 ? "an observer" : stream(fed)
    case .waitBegan, .waitEnded:
      return event.stream == 0 ? "waits" : "waits for \(stream(event.stream))"
    case .assembled, .ended, .failed, .completed, .interrupted, .absorbed, .skipped, .sent, .read:
      return "\(stream(event.stream)) \(event.kind.name)"
    case .taskCreated: return "\(subject(event)) created"
    case .taskCancelled: return "\(subject(event)) cancelled"
    case .taskFailed: return "\(subject(event)) failed"
    case .taskFailureRead: return "\(subject(event)): failure read"
    case .hopSampled: return "still running"
    case .errorThrown: return event.task.map { "\($0.title) threw an error" } ?? "error thrown"
    }
  }

  private func subject(_ event: TrackEvent) -> String { event.task?.title ?? "task" }
}
