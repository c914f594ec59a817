internal import VarveFormat
internal import VarveProbe

/// A rule by which one kind of problem is found.
///
/// A rule is created when the history of the whole trace is known, so that it can choose the streams
/// worth looking at. It is then shown the events that it asked for, in the order in which they
/// happened, and says at the end what it found. `Docs/Findings.md` describes each rule, with
/// programs that have the problem and near misses that do not.
protocol FindingRule {
  /// Prepares to look at a trace; nil when nothing in its history can be this problem.
  init?(_ facts: FindingFacts)

  /// The kinds of events that it is shown; empty if the history suffices.
  var kinds: Set<RecordKind> { get }

  /// The streams whose events it is shown; nil for all. Work on schedulers is shown regardless.
  var streams: Set<UInt32>? { get }

  /// Whether it looks at the runs of tasks that the facts hold, which are then kept up to date. Its
  /// kinds include those of `TaskRuns`.
  var followsRuns: Bool { get }

  /// Whether it finds why a program hangs, and needs no more of a history than what was left at the
  /// end. Where the history tells no more, such rules alone are asked.
  static var isOfEnding: Bool { get }

  /// Whether it looks at the causes of the events that it is shown, and not only at those of some that it
  /// looks up. Otherwise causes need not be decoded.
  var readsCauses: Bool { get }

  /// Looks at an event.
  mutating func note(_ event: FindingEvent)

  /// Returns what was found, after the last event.
  mutating func findings() -> [Finding]
}

extension FindingRule {
  var kinds: Set<RecordKind> { [] }

  var streams: Set<UInt32>? { nil }

  var followsRuns: Bool { false }

  static var isOfEnding: Bool { false }

  var readsCauses: Bool { false }

  mutating func note(_ event: FindingEvent) {}
}

/// What rules know of a trace before they see its events.
final class FindingFacts {
  let reader: TraceReader
  let history: TraceHistory
  let definitions: TraceDefinitions
  let lookup: EventLookup
  let places: StreamPlaces
  let time: TraceTime
  /// Limits the steps of all searches along the streams, and what rules remember.
  let walk: TraceWalk
  /// How streams feed each other, and how many values passed between them.
  private(set) lazy var silence = SilenceFacts(history, definitions, lookup: lookup)
  /// Which streams were made from which, and which observed which.
  private(set) lazy var links = StreamLinks(history, definitions, walk)
  /// When the program is known to have been alive for the last time.
  private(set) lazy var end = max(history.lastTick, time.lastTick)
  /// When a stream delivered a value for the last time.
  private(set) lazy var lastValue = history.streams.compactMap(\.lastValue?.ticks).max() ?? 0

  init(_ reader: TraceReader, _ history: TraceHistory, lookup: EventLookup) {
    self.reader = reader
    self.history = history
    self.lookup = lookup
    definitions = reader.definitions
    places = StreamPlaces(reader.definitions)
    time = reader.time
    walk = TraceWalk(streams: reader.definitions.streams.count)
  }

  /// The runs of tasks up to the event that rules are shown, if any of them follows these.
  lazy var runs = TaskRuns(definitions, walk)
  /// The tasks that were alive at the end; nil if the trace has none.
  private(set) lazy var tasks: TraceTasks? = (try? TraceTasks(reader)).flatMap {
    $0.areRecorded ? $0 : nil
  }
  /// The names of code.
  private(set) lazy var symbols = Symbolizer(definitions)
  /// The names of the code in stacks.
  var names: StackNames { StackNames(definitions, symbols) }
  /// Who waits for whom among the tasks that were alive at the end.
  private(set) lazy var taskWaits = TaskWaits(tasks?.tasks ?? [])

  /// Where work was that ran for long.
  private(set) lazy var samples = WorkSamples(reader)

  /// The errors that the program's code threw.
  private(set) lazy var thrown = ThrownErrors(reader, lookup)

  /// Returns the stacks of the code that makes tasks in a way, as far as they are known, by template.
  func stacks(thatMakeTasks making: TaskMaking) -> [UInt32: UInt32] {
    definitions.taskTemplates.filter { $0.value.making == making.rawValue && $0.value.stack != 0 }
      .mapValues(\.stack)
  }

  /// Returns whether a trace may have records of a kind, without reading its events.
  func mayHave(_ kind: RecordKind) -> Bool {
    reader.blocks.contains { $0.kinds.mayContain(kind.rawValue) }
  }

  /// Returns a task's number and its name, if its template has one: `task 3 "upload"`.
  func title(ofTask task: UInt64, template: UInt32) -> String {
    let name = definitions.taskTemplates[template]?.name ?? ""
    return "task \(task)" + (name.isEmpty ? "" : " \"\(name)\"")
  }

  /// The streams that each stream feeds; 0 for observers outside all streams.
  private(set) lazy var feeds: [UInt32: [UInt32]] = history.subscriptions.connected
    .reduce(into: [:]) { $0[$1.from, default: []].append($1.to) }

  /// Returns the stack of the code that sent an event from outside all streams, where that was
  /// recorded: by the record after it.
  func sender(of event: EventName) -> UInt32? {
    let next = EventName(ring: event.ring, sequence: event.sequence + 1)
    guard let sent = lookup[next], sent.kind == .sent, sent.causes.first == event else {
      return nil
    }
    let stack = HopPayload(word: sent.payload.word).stack
    return stack == 0 ? nil : stack
  }

  /// Returns whether a stream is a timer: it has no inputs, and delivers on a scheduler.
  func isTimer(_ stream: UInt32) -> Bool {
    `is`(stream, .hops) && definitions.streams[stream]?.parents.isEmpty == true
  }

  /// Returns whether a stream has the given traits; false when its traits are unknown.
  func `is`(_ stream: UInt32, _ traits: StreamTraits) -> Bool {
    definitions.streams[stream]?.traits?.isSuperset(of: traits) == true
  }
}

/// An event as a rule sees it. What it refers to must not be kept: only its name may.
struct FindingEvent {
  private let columns: UnsafePointer<ColumnPointers>
  private let index: Int
  /// Its kind.
  let kind: RecordKind

  init?(_ columns: UnsafePointer<ColumnPointers>, _ index: Int) {
    guard let kind = RecordKind(rawValue: columns.pointee.kinds[index]) else { return nil }
    self.columns = columns
    self.index = index
    self.kind = kind
  }

  var name: EventName { columns.pointee.name(index) }
  var ticks: UInt64 { columns.pointee.ticks[index] }
  var moment: EventMoment { EventMoment(name: name, ticks: ticks) }
  /// Its stream, or its scheduler.
  var stream: UInt32 { columns.pointee.streams[index] }
  /// Its subscription, or its hop.
  var subscription: UInt64 { columns.pointee.subscriptions[index] }
  /// What its payload is, as far as that is known.
  var payload: PayloadKind? { PayloadKind(rawValue: columns.pointee.payloadKinds[index]) }
  /// The bits of its payload, unless it is a text or bytes.
  var word: UInt64 { columns.pointee.words[index] }
  /// Whether it is the read of a property's value, and not of the signal of its changes.
  var isOfValue: Bool { columns.pointee.payloadKinds[index] != PayloadKind.stream.rawValue }
  /// The events that caused it, nearest first; for rules that say that they read them.
  var causes: [EventName] {
    precondition(!columns.pointee.backs.isEmpty, "a rule reads causes that it did not ask for")
    var causes: [EventName] = []
    columns.pointee.forEachCause(of: index) { causes.append($0) }
    return causes
  }
}

/// All rules, fed in one pass over a trace.
struct FindingRules {
  private let facts: FindingFacts
  private var rules: [any FindingRule] = []
  /// A bit for each rule that follows the runs of tasks.
  private var ofRuns: UInt64 = 0
  private var asked = AskedEvents()

  /// The rules, in no order: what they find is ordered by its weight.
  private static var all: [any FindingRule.Type] {
    [
      AbandonedElements.self, AbandonedProducers.self, Backlogs.self, BlockedDeliveries.self,
      BlockedFlattenings.self,
      BlockedMainThreads.self, DroppedLastValues.self,
      EarlyReads.self,
      EndlessRuns.self, FilledBuffers.self, GivenUpRuns.self, Glitches.self, GrowingJoins.self,
      GrowingTasks.self,
      PollingTasks.self,
      HangingTasks.self, HeldExecutors.self, HeldLocks.self, InvertedPriorities.self,
      Hangs.self,
      HiddenFailures.self, HiddenRejections.self, Leaks.self, Loops.self, LostUpdates.self,
      MissedResets.self,
      NestedStarts.self,
      Overtakings.self, QueueingFlattenings.self, Recursions.self, RefusedRuns.self,
      RepeatedFailures.self, ReplayedFailures.self,
      RepeatedStarts.self, ShortReplays.self, SkippedFirstValues.self, StaleResults.self,
      LeftGroups.self, UnfinishedStreams.self,
      Storms.self, StrayDeliveries.self, UndoneHops.self, UnhandledFailures.self,
      UnheededCancellations.self, UnkeptObservations.self, UnreadFailures.self,
      UnawaitedChildren.self, UnpassedCancellations.self, UnresumedContinuations.self,
      UnreturnedDeliveries.self,
      UnseenValues.self, UnsharedReplays.self, UnstartedProducers.self, WaitingElements.self,
    ]
  }

  init(_ facts: FindingFacts) {
    self.facts = facts
    for type in Self.all where type.isOfEnding || facts.history.scope == .everything {
      guard let rule = type.init(facts) else { continue }
      add(rule)
    }
  }

  private mutating func add(_ rule: any FindingRule) {
    let bit: UInt64 = 1 << UInt64(rules.count)
    precondition(bit != 0, "there are more rules than bits")
    rules.append(rule)
    if rule.followsRuns { ofRuns |= bit }
    asked.add(bit, rule)
  }

  /// Reads the events that rules ask for, and returns what they found.
  ///
  /// - Parameter progress: called with the number of events read so far.
  mutating func found(in reader: TraceReader, progress: (UInt64) -> Void = { _ in }) -> [Finding] {
    read(reader, progress)
    var found: [Finding] = []
    for index in rules.indices { found += rules[index].findings() }
    return found
  }

  private mutating func note(_ columns: UnsafePointer<ColumnPointers>, _ index: Int) {
    var interested = asked.rules(columns.pointee.kinds[index], columns.pointee.streams[index])
    guard interested != 0, let event = FindingEvent(columns, index) else { return }
    if interested & ofRuns != 0 { facts.runs.note(event) }
    while interested != 0 {
      let rule = interested.trailingZeroBitCount
      interested &= interested - 1
      rules[rule].note(event)
    }
  }

  private mutating func read(_ reader: TraceReader, _ progress: (UInt64) -> Void) {
    let asked = self.asked
    let kinds = RecordKind.allCases.filter { asked.asks(for: $0) }
    guard !kinds.isEmpty else { return }
    var selection = Selection()
    selection.kinds = KindSelection(Set(kinds))
    // The selection names no event, so it cannot fail.
    var columns: ColumnSet = [.ticks, .kinds, .streams, .subscriptions, .words]
    if rules.contains(where: \.readsCauses) { columns.insert(.causes) }
    let query = try? EventQuery(
      selection, in: reader, columns: columns, payloadsOf: nil,
      thin: { asked.select(from: $0, isWhole: $1) })
    guard var query else { return }
    var done: UInt64 = 0
    query.run { page in
      page.forEachRun { entries, columns in
        withUnsafePointer(to: columns) { columns in
          for entry in entries { note(columns, Int(entry.index)) }
        }
      }
      done += UInt64(page.due.count)
      progress(done)
      return true
    }
  }
}
