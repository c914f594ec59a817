internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// The lanes of the viewer: streams in the order of the flow, then schedulers, then threads, for what
/// happened outside all streams, then tasks. They are numbered from 0.
struct ViewerLanes {
  typealias Kind = TileLanes.Lane

  private(set) var kinds: [Kind] = []
  private var lanes: [Kind: Int] = [:]
  private let words: TraceWords
  private let first: UInt64
  /// What is known of the events of streams.
  private var figures: [UInt32: LaneFigures] = [:]
  private var nodes: [UInt32: StreamFlow.Node] = [:]
  /// The places of lanes in the picture, where they are not in the order of their numbers.
  private var ranks: [Kind: Int] = [:]
  /// What is known of the tasks that have lanes.
  private var tasks = LanedTasks()
  /// Lanes without anything to show.
  private var empty: Set<Kind> = []
  /// Of several recordings, the one that a lane is of.
  private var recordings: [Kind: UInt32] = [:]
  private let processes: ProcessNames

  /// Lays out the streams of a census that have events or were observed.
  ///
  /// - Parameter first: the first tick of the trace, from which the page counts.
  init(_ census: StreamCensus, feeds: Set<StreamEdge>, _ words: TraceWords, first: UInt64) {
    self.words = words
    processes = ProcessNames(words.definitions.threads.values)
    self.first = first
    let shown = census.streams.filter { $0.events > 0 || $0.subscriptions > 0 }
    for summary in shown { figures[summary.definition.id] = LaneFigures(summary) }
    place(Set(figures.keys), feeds)
  }

  /// Lays out the lanes of a trace whose events have not been read: all streams that may have some,
  /// judging by the headers of blocks, all schedulers and all threads.
  init(
    of reader: TraceReader, feeds: Set<StreamEdge>, _ words: TraceWords, first: UInt64
  ) {
    self.words = words
    processes = ProcessNames(words.definitions.threads.values)
    self.first = first
    var occurring = StreamSet()
    var kinds = KindSet()
    for block in reader.blocks {
      for word in occurring.words.indices { occurring.words[word] |= block.streams.words[word] }
      kinds.bits |= block.kinds.bits
    }
    place(Set(words.definitions.streams.keys.filter(occurring.mayContain)), feeds)
    if kinds.mayContain(RecordKind.hopScheduled.rawValue)
      || kinds.mayContain(RecordKind.hopBegan.rawValue)
    {
      for id in words.definitions.schedulers.keys.sorted() { _ = lane(.scheduler(id)) }
    }
    for ring in Set(reader.blocks.map(\.ring)).sorted() { _ = lane(.thread(ring)) }
  }

  private mutating func place(_ streams: Set<UInt32>, _ feeds: Set<StreamEdge>) {
    let flow = StreamFlow(of: streams, definitions: words.definitions.streams, feeds: feeds)
    for node in flow.nodes {
      nodes[node.stream] = node
      _ = lane(.stream(node.stream))
    }
  }

  /// Gives the lanes the numbers of others, which have them all, and keeps their order.
  mutating func number(as others: TileLanes) {
    for (rank, kind) in kinds.enumerated() { ranks[kind] = rank }
    kinds = others.all
    for (number, kind) in kinds.enumerated() { lanes[kind] = number }
  }

  /// Takes over what was counted.
  mutating func learn(_ tallies: LaneTallies) {
    for (lane, kind) in kinds.enumerated() {
      note(tallies.recording(lane), of: kind)
      switch kind {
      case .stream(let id):
        let known = LaneFigures(tallies, lane)
        figures[id] = known
        if known.isEmpty { empty.insert(kind) }
      case .thread(let ring) where tallies.hasWorked(ring): continue
      case .task: continue
      case .scheduler, .thread:
        if tallies.events(lane) == 0 { empty.insert(kind) }
      }
    }
  }

  /// Returns the lane of an event; nil if its stream has none.
  mutating func lane(of event: TraceEvent) -> Int? {
    if event.isHop { return lane(.scheduler(event.stream)) }
    if event.stream == 0 { return lane(.thread(event.ring)) }
    return lanes[.stream(event.stream)]
  }

  /// Notes that an event of a lane is of a thread.
  mutating func note(_ lane: Int, of ring: UInt32) {
    note(EventName.recording(ring), of: kinds[lane])
  }

  private mutating func note(_ recording: UInt32, of kind: Kind) {
    if recording != 0 { recordings[kind] = recording }
  }

  /// The process that a lane is of, as `shop[4711]`; nil if there is only one.
  private func process(of kind: Kind) -> String? {
    switch kind {
    case .thread(let ring): processes[EventName.recording(ring)]
    case .task(let id): processes[tasks.recording(of: id)]
    case .stream, .scheduler: recordings[kind].flatMap { processes[$0] }
    }
  }

  func lane(ofStream stream: UInt32) -> Int? { lanes[.stream(stream)] }

  /// The lane of a thread; nil if it has none.
  func lane(ofKnownThread ring: UInt32) -> Int? { lanes[.thread(ring)] }

  mutating func lane(ofThread ring: UInt32) -> Int { lane(.thread(ring)) }

  /// Gives tasks lanes behind the others.
  mutating func add(_ tasks: LanedTasks) {
    self.tasks = tasks
    for task in tasks.all { _ = lane(.task(task.id)) }
  }

  /// The lane of a task; nil if it has none.
  func lane(ofTask task: UInt64) -> Int? { lanes[.task(task)] }

  private mutating func lane(_ kind: Kind) -> Int {
    if let known = lanes[kind] { return known }
    lanes[kind] = kinds.count
    kinds.append(kind)
    return kinds.count - 1
  }

  /// Gives schedulers, threads and tasks the places behind the streams, in order; returns the new number of
  /// each lane. To be called when all lanes are known.
  mutating func sort() -> [Int] {
    func rank(_ kind: Kind) -> Int {
      switch kind {
      case .stream: 0
      case .scheduler: 1
      case .thread: 2
      case .task: 3
      }
    }
    let order = kinds.indices.sorted { (rank(kinds[$0]), $0) < (rank(kinds[$1]), $1) }
    var numbers = [Int](repeating: 0, count: kinds.count)
    for (number, old) in order.enumerated() { numbers[old] = number }
    kinds = order.map { kinds[$0] }
    for (number, kind) in kinds.enumerated() { lanes[kind] = number }
    return numbers
  }

  /// Returns the lanes as a JSON array.
  func json() -> String {
    "[" + kinds.indices.map { object($0).text }.joined(separator: ",\n") + "]"
  }

  private func object(_ lane: Int) -> JSONMembers {
    var object = JSONMembers().adding("lane", String(lane))
    if let rank = ranks[kinds[lane]], rank != lane { object = object.adding("order", String(rank)) }
    if empty.contains(kinds[lane]) { object = object.adding("empty", "true") }
    if let process = process(of: kinds[lane]) {
      object = object.adding("process", JSONText.quoted(process))
    }
    switch kinds[lane] {
    case .stream(let stream): return self.stream(stream, of: object)
    case .scheduler(let id):
      return simple("scheduler", words.scheduler(id), UInt64(id), of: object)
    case .thread(let ring): return simple("thread", words.thread(ring), UInt64(ring), of: object)
    case .task(let id): return task(id, of: object)
    }
  }

  private func task(_ id: UInt64, of object: JSONMembers) -> JSONMembers {
    guard let task = tasks[id] else { return simple("task", "task \(id)", id, of: object) }
    let name = task.name.map { "task \(id) \($0)" } ?? "task \(id)"
    // Of several processes, the numbers of most have so many digits that nobody reads them.
    let short = process(of: .task(id)) == nil ? id : TaskNumber.own(id)
    let label = task.name.map { "task \(short) \($0)" } ?? "task \(short)"
    let parents = task.maker.flatMap { lanes[.task($0)] }.map { String($0) } ?? ""
    func tick(_ tick: UInt64?) -> String { tick.map { String($0 - min($0, first)) } ?? "null" }
    return object.adding("kind", "\"task\"").adding("id", String(id))
      .adding("name", JSONText.quoted(name)).adding("label", JSONText.quoted(label))
      .adding("operator", JSONText.quoted(task.kind.rawValue))
      .adding("phase", JSONText.quoted(tasks.phase(of: task)))
      .adding("place", "null").adding("type", "null").adding("parents", "[\(parents)]")
      .adding("depth", String(tasks.depth(of: id))).adding("group", "null")
      .adding("first", tick(task.born)).adding("last", tick(task.since))
  }

  private func simple(
    _ kind: String, _ name: String, _ id: UInt64, of object: JSONMembers
  ) -> JSONMembers {
    object.adding("kind", JSONText.quoted(kind)).adding("id", String(id))
      .adding("name", JSONText.quoted(name)).adding("label", JSONText.quoted(name))
      .adding("operator", "null").adding("place", "null").adding("type", "null")
      .adding("parents", "[]").adding("depth", "0").adding("group", "null")
  }

  private func stream(_ id: UInt32, of object: JSONMembers) -> JSONMembers {
    guard let definition = words.definitions.streams[id], let node = nodes[id] else {
      return simple("stream", words.stream(id), UInt64(id), of: object)
    }
    let parents = node.parents.compactMap { lanes[.stream($0)] }.map { String($0) }
    let described = object.adding("kind", "\"stream\"").adding("id", String(id))
      .adding("name", JSONText.quoted(definition.name))
      .adding("label", JSONText.quoted(words.shortStream(id)))
      .adding("operator", JSONText.quoted(definition.operation))
      .adding("place", words.place(of: id).map { JSONText.quoted($0) } ?? "null")
      .adding("type", JSONText.quoted(definition.valueType))
      .adding("parents", "[" + parents.joined(separator: ",") + "]")
      .adding("depth", String(node.depth))
      .adding("group", group(of: id).map { String($0) } ?? "null")
      .adding("numeric", String(Self.isNumeric(definition.valueType)))
    return figures[id].map { $0.members(of: described, from: first) } ?? described
  }

  /// The number of streams that are passed on the way to one with a name.
  private static let mostPassed = 64

  /// Returns the lane below which a stream without a name is folded away: that of the nearest stream
  /// with a name that feeds it.
  private func group(of stream: UInt32) -> Int? {
    guard !words.isNamed(stream) else { return nil }
    var next = stream
    for _ in 0..<Self.mostPassed {
      guard let parent = nodes[next]?.parents.first else { return nil }
      if words.isNamed(parent) { return lanes[.stream(parent)] }
      next = parent
    }
    return nil
  }

  private static func isNumeric(_ type: String) -> Bool {
    let name = type.split(separator: ".").last.map(String.init) ?? type
    return ["Int", "Double", "Float"].contains(name) || name.hasPrefix("UInt")
      || name.hasPrefix("Int")
  }
}
