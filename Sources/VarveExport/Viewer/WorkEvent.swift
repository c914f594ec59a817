internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// An event about work, without what its slices do not need: a long recording has very many.
struct WorkEvent {
  var kind: RecordKind?
  var name: EventName
  /// The ID of the work.
  var hop: UInt64
  /// The scheduler, of what happened to work of one.
  var scheduler: UInt32
  var payload: PayloadKind?
  var word: UInt64
  /// The last cause, of work that is given.
  var cause: EventName?

  init(_ event: TraceEvent) {
    kind = event.kind
    name = event.name
    hop = event.subscription
    scheduler = event.stream
    payload = event.payload.kind
    word = event.payload.word
    cause = event.causes.last
  }

  /// Reads an event of a batch, of which `columns` have to be decoded. (To hand over its columns would
  /// retain each of them.)
  ///
  /// - Parameter hasCauses: whether the causes are, too.
  init(_ batch: EventBatch, _ index: Int, hasCauses: Bool) {
    kind = RecordKind(rawValue: batch.columns.kinds[index])
    name = EventName(
      ring: batch.columns.ring, sequence: batch.columns.firstSequence + UInt64(index))
    hop = batch.columns.subscriptions[index]
    scheduler = batch.columns.streams[index]
    payload = PayloadKind(rawValue: batch.columns.payloadKinds[index])
    word = batch.columns.words[index]
    cause = hasCauses && kind == .hopScheduled ? batch.columns.causes(of: index).last : nil
  }

  /// What has to be decoded.
  static let columns: ColumnSet = [.ticks, .kinds, .streams, .subscriptions, .words]

  /// The events about work.
  static let kinds: [RecordKind] = [
    .hopScheduled, .hopBegan, .hopEnded, .hopCancelled, .hopSampled, .taskCreated,
  ]
}

/// The lanes of events about work, which are asked for again and again.
struct WorkLanes {
  private let lanes: TileLanes
  private let name: (UInt32) -> String
  private var schedulers: [UInt32: Int?] = [:]
  private var threads: [UInt32: (lane: Int?, name: String)] = [:]
  /// The thread of the last event.
  private var last: (ring: UInt32, lane: Int?, name: String)?

  /// - Parameter name: names a thread.
  init(_ lanes: TileLanes, thread name: @escaping (UInt32) -> String) {
    self.lanes = lanes
    self.name = name
  }

  /// The lanes of an event; nil if it has none.
  mutating func places(of event: WorkEvent) -> ViewerSlices.Places? {
    let ring = event.name.ring
    if last?.ring != ring {
      let known = threads[ring] ?? (lanes[.thread(ring)], name(ring))
      threads[ring] = known
      last = (ring, known.lane, known.name)
    }
    let isOfThread = event.kind == .taskCreated || event.kind == .hopSampled
    guard let own = isOfThread ? last?.lane : scheduler(event.scheduler) else { return nil }
    return ViewerSlices.Places(
      scheduler: own, thread: last?.lane ?? own, threadName: last?.name ?? "",
      task: { [lanes] in lanes[.task($0)] })
  }

  private mutating func scheduler(_ id: UInt32) -> Int? {
    if let known = schedulers[id] { return known }
    let lane = lanes[.scheduler(id)]
    schedulers[id] = .some(lane)
    return lane
  }
}
