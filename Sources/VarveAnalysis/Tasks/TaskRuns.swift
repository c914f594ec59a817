internal import VarveFormat
internal import VarveProbe

/// The runs of tasks, as rules see them in their pass over a trace: which of them wait for their
/// executors, and which run on which thread. Rules share one, which is shown each event before them.
struct TaskRuns {
  /// A run that waits for its executor.
  struct Scheduled: Sendable {
    var scheduler: UInt32
    var since: EventMoment
    /// The functions that go on in it, or the code that made the task; 0 if unknown.
    var stack: UInt32
    /// Whether it is the task's first run: the stack is of the code that made the task.
    var isFirst = false
  }

  /// A run that has begun.
  struct Run: Sendable {
    var task: UInt64
    /// What it has in common with others: its name, too. 0 if its creation was not seen.
    var template: UInt32 = 0
    var hop: UInt64
    var priority: UInt8
    var scheduler: UInt32
    var began: EventMoment
    var given: Scheduled?
    /// The stack of the last thing that it is known to have done; 0 if there is none.
    var last: UInt32 = 0
  }

  /// What an event did.
  enum Change {
    case scheduled(Scheduled)
    case began(Run)
    case ended(Run, TaskAwaitPayload)
  }

  static let kinds: Set<RecordKind> = [.taskCreated, .hopScheduled, .hopBegan, .hopEnded]

  /// The work that waits, by hop.
  private(set) var waiting: WalkTable<UInt64, Scheduled>
  /// The runs that have begun and not ended, by hop.
  private(set) var running: WalkTable<UInt64, Run>
  /// The run of each thread that began last, if it has not ended.
  private var current: [UInt32: UInt64] = [:]
  /// By task.
  private var templates: WalkTable<UInt64, UInt32>
  /// The stack of the code that made a task, by the record of that.
  private var made: [UInt32: (sequence: UInt64, stack: UInt32)] = [:]
  private let definitions: TraceDefinitions

  /// What the last event did.
  private(set) var change: Change?

  init(_ definitions: TraceDefinitions, _ walk: TraceWalk) {
    self.definitions = definitions
    waiting = WalkTable(walk, bytes: 72, of: .work)
    running = WalkTable(walk, bytes: 128, of: .work)
    templates = WalkTable(walk, bytes: 40, of: .work)
  }

  /// Returns the run of a thread that began last, if it has not ended.
  func run(on ring: UInt32) -> Run? { current[ring].flatMap { running[$0] } }

  /// Takes in an event.
  mutating func note(_ event: FindingEvent) { change = change(by: event) }

  private mutating func change(by event: FindingEvent) -> Change? {
    let ring = event.name.ring
    switch (event.kind, event.payload) {
    case (.taskCreated, .made):
      let template = TaskCreationPayload(word: event.word).template
      let stack = definitions.taskTemplates[template]?.stack ?? 0
      templates.set(template, for: event.subscription)
      made[ring] = (event.name.sequence, stack)
      if let hop = current[ring], stack != 0 { running.change(hop) { $0.last = stack } }
      return nil
    case (.hopScheduled, _):
      var stack = event.payload == .cause ? HopPayload(word: event.word).stack : 0
      let made = made[ring].flatMap { $0.sequence + 1 == event.name.sequence ? $0 : nil }
      if let made { stack = made.stack }
      let scheduled = Scheduled(
        scheduler: event.stream, since: event.moment, stack: stack, isFirst: made != nil)
      waiting.set(scheduled, for: event.subscription)
      return .scheduled(scheduled)
    case (.hopBegan, let payload):
      let given = waiting.removeValue(forKey: event.subscription)
      guard payload == .task else { return nil }
      let task = TaskRunPayload(word: event.word)
      let run = Run(
        task: task.task, template: templates[task.task] ?? 0, hop: event.subscription,
        priority: task.priority, scheduler: event.stream,
        began: event.moment,
        given: given)
      if running.set(run, for: event.subscription) { current[ring] = event.subscription }
      return .began(run)
    case (.hopEnded, .awaited):
      if current[ring] == event.subscription { current[ring] = nil }
      guard let run = running.removeValue(forKey: event.subscription) else { return nil }
      let end = TaskAwaitPayload(word: event.word)
      if end.awaited == TaskAwait.nothing.rawValue { templates.removeValue(forKey: run.task) }
      return .ended(run, end)
    default: return nil
    }
  }
}
