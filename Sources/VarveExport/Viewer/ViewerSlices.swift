internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// Work as the page draws it: how long it waited and ran, in the lane of its scheduler, and when a
/// thread ran it; and the lives of tasks, which run, wait, and are resumed.
struct ViewerSlices {
  typealias Spell = ViewerSpell

  /// The lanes that an event about work concerns.
  struct Places {
    var scheduler: Int
    var thread: Int
    var threadName: String
    /// Finds the lanes of tasks.
    var task: (UInt64) -> Int?
  }

  /// What began before this moment and was over by then is not drawn.
  private let earliest: UInt64
  /// What has been given and has not begun, and what runs, by the IDs of work.
  private var given: [UInt64: Spell] = [:]
  private var begun: [UInt64: Spell] = [:]
  /// The lane of the task that each thread runs.
  private var running: [UInt32: Int] = [:]
  /// What tasks have waited for since their last run, by lane.
  private var waits: [Int: Spell] = [:]
  /// The lanes of tasks that wait, by the events with which that began.
  private var waiting: [EventName: Int] = [:]
  private var samples: [UInt64: [ViewerSample]] = [:]
  private var pieces: ViewerPieces

  /// Called with what is over, in place of drawing it.
  var keep: ((Spell) -> Void)?
  /// The number of moments that have passed at which what goes on is kept.
  var moment = 0

  /// - Parameter pixel: the number of ticks of a pixel, if what is narrower may become one.
  init(from earliest: UInt64 = 0, pixel: UInt64 = 0) {
    self.earliest = earliest
    pieces = ViewerPieces(pixel: pixel)
  }

  /// Goes on from a moment at which this was going on, with all samples of work.
  init(
    from earliest: UInt64, pixel: UInt64, _ spells: [Spell], _ samples: [UInt64: [ViewerSample]]
  ) {
    self.init(from: earliest, pixel: pixel)
    self.samples = samples
    for spell in spells {
      switch spell.kind {
      case .given: given[spell.hop] = spell
      case .waits: begin(wait: spell)
      case .runs:
        begun[spell.hop] = spell
        if let task = spell.task { running[spell.name.ring] = task }
      }
    }
  }

  /// The number of pieces of work that are waited for.
  var open: Int { given.count + begun.count + waits.count }

  // MARK: - Events

  /// Notes an event about work.
  ///
  /// - Parameter tick: when it happened, counted from the first tick of the trace.
  mutating func note(_ event: WorkEvent, tick: UInt64, _ places: @autoclosure () -> Places) {
    let hop = event.hop
    func spell(_ kind: Spell.Kind, _ lane: Int) -> Spell {
      Spell(
        kind: kind, hop: kind == .waits ? 0 : hop, name: event.name, tick: tick, lane: lane,
        by: running.isEmpty ? nil : running[event.name.ring], first: moment)
    }
    switch event.kind {
    case .taskCreated:
      guard let lane = places().task(hop) else { return }
      begin(wait: spell(.waits, lane))
    case .hopScheduled:
      var work = spell(.given, places().scheduler)
      if let wait = wait(for: event) {
        work.task = wait.lane
        end(wait, at: tick)
      }
      given[hop] = work
    case .hopBegan:
      let places = places()
      var run = spell(.runs, places.scheduler)
      (run.thread, run.label) = (places.thread, places.threadName)
      if event.payload == .task {
        run.task = places.task(TaskRunPayload(word: event.word).task)
      }
      begun[hop] = run
      begin(run)
    case .hopEnded:
      guard let run = begun.removeValue(forKey: hop) else { return }
      if !running.isEmpty { running[event.name.ring] = nil }
      end(run, at: tick, "completed")
      guard let lane = run.task, event.payload == .awaited else { return }
      let payload = TaskAwaitPayload(word: event.word)
      guard payload.awaited != TaskAwait.nothing.rawValue else { return }
      var wait = spell(.waits, lane)
      wait.label = Self.words(payload)
      begin(wait: wait)
    case .hopCancelled:
      guard let work = given.removeValue(forKey: hop) else { return }
      end(work, at: tick, "cancelled")
    case .hopSampled:
      note(event, tick: tick)
    default:
      return
    }
  }

  private mutating func note(_ sample: WorkEvent, tick: UInt64) {
    // Those of long work may be known before.
    guard samples[sample.hop]?.contains(where: { $0.name == sample.name }) != true else {
      return
    }
    samples[sample.hop, default: []].append(ViewerSample(sample, tick: tick))
  }

  private mutating func begin(wait: Spell) {
    waits[wait.lane] = wait
    waiting[wait.name] = wait.lane
  }

  private mutating func endWait(_ lane: Int) -> Spell? {
    guard let wait = waits.removeValue(forKey: lane) else { return nil }
    waiting[wait.name] = nil
    return wait
  }

  /// The wait that is over when work is given: that of the task whose run it is. Its event is the last
  /// cause, or the one before on the same thread, if that is the task's creation.
  private mutating func wait(for given: WorkEvent) -> Spell? {
    guard !waiting.isEmpty else { return nil }
    let before = EventName(ring: given.name.ring, sequence: given.name.sequence &- 1)
    if let lane = given.cause.flatMap({ waiting[$0] }) { return endWait(lane) }
    guard let lane = waiting[before], waits[lane]?.label.isEmpty == true else { return nil }
    return endWait(lane)
  }

  /// Work begins: it has waited. A task has waited until it was scheduled, and from then on in a
  /// queue.
  private mutating func begin(_ run: Spell) {
    var work = given.removeValue(forKey: run.hop)
    if let lane = run.task {
      running[run.name.ring] = lane
      work?.task = lane
      if let wait = endWait(lane) {
        end(wait, at: work.map { max($0.tick, wait.tick) } ?? run.tick)
      }
    }
    if let work { end(work, at: run.tick) }
  }

  private static func words(_ payload: TaskAwaitPayload) -> String {
    switch TaskAwait(rawValue: payload.awaited) {
    case .task where payload.number == 0: "awaits a task"
    case .task: "awaits task \(TaskNumber.own(payload.number))"
    case .continuation where payload.stack == 0: "awaits a continuation or sleeps"
    case .continuation: "awaits a continuation"
    case .group: "awaits a child of its group"
    case .executor: "awaits an actor"
    case .unknown, .nothing, nil: "waits"
    }
  }

  private mutating func end(_ spell: Spell, at tick: UInt64, _ ending: String? = nil) {
    var spell = spell
    (spell.end, spell.ending, spell.last) = (tick, ending, moment)
    guard let keep else { return draw(spell) }
    keep(spell)
  }

  /// The stacks of all samples.
  var stacks: Set<UInt32> { Set(samples.values.joined().lazy.map(\.stack)) }

  // MARK: - Drawing

  /// Draws what is over, or is not known to be.
  mutating func draw(_ spell: Spell) {
    if let end = spell.end, end < earliest { return }
    switch spell.kind {
    case .given:
      add(spell, spell.lane, .queued, ending: spell.ending)
      guard let task = spell.task else { return }
      add(spell, task, .queued, by: spell.by == task ? nil : spell.by)
    case .runs:
      add(spell, spell.lane, .runs, ending: spell.ending)
      if let thread = spell.thread { add(spell, thread, .runs) }
      if let task = spell.task { add(spell, task, .runs, label: spell.label) }
    case .waits where spell.label.isEmpty:
      if spell.end == nil { add(spell, spell.lane, .queued) }
    case .waits:
      add(spell, spell.lane, .waits, label: spell.label)
    }
  }

  private mutating func add(
    _ spell: Spell, _ lane: Int, _ state: ViewerPiece.State, ending: String? = nil,
    label: String = "", by: Int? = nil
  ) {
    let piece = ViewerPiece(
      lane: lane, state: state, from: spell.tick, to: spell.end, label: label, event: spell.name,
      ending: ending, by: by, hop: spell.hop)
    pieces.add(piece, isAlone: state == .runs && samples[spell.hop] != nil)
  }

  /// The number of slices of what has ended.
  var count: Int { pieces.count }

  /// Notes tasks that wait at the end of the trace, unless their waits were seen to begin.
  mutating func noteWaiting(
    _ all: LanedTasks, from first: UInt64, among lanes: TileLanes
  ) {
    for task in all.all where task.phase == .suspended {
      guard let lane = lanes[.task(task.id)], waits[lane] == nil, let since = task.since,
        let name = all.lastRuns[task.id]
      else { continue }
      guard !given.values.contains(where: { $0.task == lane }) else { continue }
      let label = task.awaiting.map { "awaits " + LanedTasks.words($0, task.awaitedTask) }
      waits[lane] = Spell(
        kind: .waits, hop: 0, name: name, tick: since - min(since, first), lane: lane,
        label: label ?? "waits")
    }
  }

  /// Tells when what is not over will be, which further events would have told.
  mutating func know(_ end: (EventName) -> UInt64) {
    func known(_ spell: Spell) -> Spell {
      // What goes on from before the events that were read is known.
      guard spell.end == nil, spell.last == .max else { return spell }
      var spell = spell
      let tick = end(spell.name)
      spell.end = tick == .max ? nil : tick
      return spell
    }
    given = given.mapValues(known)
    begun = begun.mapValues(known)
    waits = waits.mapValues(known)
  }

  /// Returns the slices of some lanes, or all, at most so many, with commas between them; of more, those
  /// that are short until a moment are left out. What has not ended is open.
  mutating func finish(
    among wanted: Set<Int>?, most: Int, until last: UInt64
  ) -> (list: String, areAll: Bool, areMerged: Bool) {
    finishOpen { $0.draw($1) }
    let areAll = pieces.keep(wanted, most: most, until: last)
    return (pieces.list(samples), areAll, pieces.areMerged)
  }

  /// Lends all that is not over.
  mutating func finishOpen(_ body: (inout ViewerSlices, Spell) -> Void) {
    let left = [Array(given.values), Array(begun.values), Array(waits.values)].joined()
    for spell in left.sorted(by: { ($0.tick, $0.name) < ($1.tick, $1.name) }) { body(&self, spell) }
  }

  /// Returns all slices, with new numbers of their lanes; what has not ended is open.
  mutating func finish(_ numbers: [Int]) -> [String] {
    finishOpen { $0.draw($1) }
    return pieces.objects(numbers, samples)
  }
}
