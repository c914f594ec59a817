public import VarveFormat
internal import VarveProbe

/// The path to an event as people read it: from the event back to its first causes, with joining
/// branches indented.
public struct CausalPath: Sendable {
  /// One step of the path.
  public struct Step: Sendable {
    /// The event.
    public var event: TraceEvent
    /// For work that began on a scheduler, the event that scheduled it.
    public var scheduled: TraceEvent?
    /// The depth of its indentation; 0 for the main line.
    public var depth: Int
    /// Whether the path continues where it was already shown.
    public var wasShown: Bool
    /// Whether it begins a branch: an input that joined in.
    public var joins: Bool
    /// For the first step of a branch, the event that it joined.
    public var joined: TraceEvent?
    /// The task whose run begins or ends with it, if it is a task's.
    public var task: UInt64?
    /// For a task that runs on, the end of its run before, which says what it awaited.
    public var suspension: TraceEvent?
    /// The runs of the same task that are left out after this one; nil when there are none.
    public var earlier: EarlierRuns?
    /// The rounds of the same steps that are left out after this one; nil when there are none.
    public var repeats: Repetition?
  }

  /// Rounds of the same steps that were left out.
  public struct Repetition: Sendable, Hashable {
    /// The number of rounds.
    public var rounds: Int
    /// The number of steps in each round.
    public var steps: Int
    /// The earliest event that was left out.
    public var first: EventName
    /// The latest event that was left out.
    public var last: EventName
  }

  /// The steps, starting from the effect.
  public private(set) var steps: [Step] = []
  /// The step where the main line began; nil when there are no steps.
  public private(set) var origin: Step?
  /// Whether the path continues beyond the events that were examined.
  public let isCut: Bool
  /// Causes that the trace does not hold, by an event on the path that names them.
  public let missing: [EventName: EventName]

  /// Lays out the path to a graph's effect.
  public init(_ graph: CausalGraph) {
    isCut = graph.isCut
    missing = graph.missing
    var builder = PathBuilder(graph: graph)
    builder.follow(from: graph.effect, depth: 0)
    steps = Self.folded(Self.runsFolded(builder.steps))
    origin = steps.last { $0.depth == 0 && !$0.wasShown }
  }

  /// Returns the path with only some of its steps, besides the effect.
  public func keeping(_ isKept: (Step) -> Bool) -> CausalPath {
    var path = self
    path.steps = steps.prefix(1) + steps.dropFirst().filter(isKept)
    return path
  }
}

/// Lays a graph out line by line. Steps shared by the main line and a branch belong to the main
/// line.
private struct PathBuilder {
  /// The maximum depth of nested branches.
  private static let deepest = 8

  let graph: CausalGraph
  var steps: [CausalPath.Step] = []
  private var shown: Set<EventName> = []

  init(graph: CausalGraph) { self.graph = graph }

  mutating func follow(from start: EventName, depth: Int, joining: TraceEvent? = nil) {
    let before = joining?.runTask.flatMap { graph.events[start]?.runTask == $0 ? $0 : nil }
    let line = line(from: start, earlierRunsOf: before)
    for (position, step) in line.steps.enumerated() {
      var step = step
      step.depth = depth
      step.joins = position == 0 && depth > 0
      step.joined = position == 0 ? joining : nil
      steps.append(step)
      guard !step.wasShown, depth < Self.deepest else { continue }
      // A task's line names what resumed it.
      for side in line.sides[position] where isWorthFollowing(side, from: step, before != nil) {
        follow(from: side, depth: depth + 1, joining: step.event)
      }
    }
  }

  /// Returns whether a branch is shown. A task's line names what resumed it, so that what is known
  /// needs no line of its own, and of its earlier runs only what no task did.
  private func isWorthFollowing(
    _ side: EventName, from step: CausalPath.Step, _ isEarlier: Bool
  ) -> Bool {
    guard let task = step.event.runTask else { return true }
    guard !shown.contains(side), let event = graph.events[side] else { return false }
    return !isEarlier || event.runTask == task || event.runTask == nil && event.awaited == nil
  }

  /// Returns the chain of latest causes, and the other causes of each step. Of a task, the chain
  /// goes on with what resumed it.
  ///
  /// - Parameter task: the task whose earlier runs make the chain.
  private mutating func line(
    from start: EventName, earlierRunsOf task: UInt64?
  ) -> (steps: [CausalPath.Step], sides: [[EventName]]) {
    var steps: [CausalPath.Step] = []
    var sides: [[EventName]] = []
    var next: EventName? = start
    while let name = next, let event = graph.events[name] {
      var step = CausalPath.Step(event: event, depth: 0, wasShown: false, joins: false)
      step.wasShown = !shown.insert(name).inserted
      step.task = event.runTask ?? graph.task(endingRun: event)
      var causes = graph.causes[name] ?? []
      if let scheduled = scheduling(of: event, causes) {
        step.scheduled = scheduled
        shown.insert(scheduled.name)
        causes = graph.causes[scheduled.name] ?? []
        if let runs = event.runTask {
          step.suspension = graph.suspension(of: runs, before: scheduled)
          causes = self.causes(causes, before: step.suspension, isFirst: runs == task)
        }
      }
      steps.append(step)
      sides.append(Array(causes.dropFirst()))
      next = step.wasShown ? nil : causes.first
    }
    return (steps, sides)
  }

  /// Returns the causes of a task's run, with the run before it in place of what that ended with: at
  /// the end, or first.
  private mutating func causes(
    _ causes: [EventName], before suspension: TraceEvent?, isFirst: Bool
  ) -> [EventName] {
    guard let suspension, causes.contains(suspension.name) else { return causes }
    shown.insert(suspension.name)
    let others = causes.filter { $0 != suspension.name }
    let before = graph.causes[suspension.name] ?? []
    return isFirst ? before + others : others + before
  }

  private func scheduling(of event: TraceEvent, _ causes: [EventName]) -> TraceEvent? {
    guard event.kind == .hopBegan, causes.count == 1, let cause = graph.events[causes[0]],
      cause.kind == .hopScheduled
    else { return nil }
    return cause
  }
}

// MARK: - Rounds

extension CausalPath {
  /// The maximum number of steps in a round.
  private static let longestRound = 24
  /// The minimum number of rounds that are folded; fewer are shown in full.
  private static let fewestRounds = 4

  /// Leaves out all but the first and last of similar rounds, so that a recursion of a thousand
  /// turns shows as a loop and not as a thousand paths.
  private static func folded(_ steps: [Step]) -> [Step] {
    let signatures = steps.map(Signature.init)
    var result: [Step] = []
    var index = 0
    while index < steps.count {
      guard let (length, rounds) = rounds(at: index, in: signatures) else {
        result.append(steps[index])
        index += 1
        continue
      }
      let skipped = index + length..<index + length * (rounds - 1)
      result += steps[index..<index + length]
      result[result.count - 1].repeats = Repetition(
        rounds: rounds - 2, steps: length, first: steps[skipped.upperBound - 1].event.name,
        last: steps[skipped.lowerBound].event.name)
      result += steps[skipped.upperBound..<index + length * rounds]
      index += length * rounds
    }
    return result
  }

  private static func rounds(
    at start: Int, in signatures: [Signature]
  ) -> (length: Int, rounds: Int)? {
    for length in 1...longestRound {
      guard start + length * fewestRounds <= signatures.count else { return nil }
      var end = start + length
      while end < signatures.count, signatures[end] == signatures[end - length] { end += 1 }
      let rounds = (end - start) / length
      if rounds >= fewestRounds { return (length, rounds) }
    }
    return nil
  }

  /// The properties that similar steps share.
  private struct Signature: Equatable {
    let kind: RecordKind?
    let stream: UInt32
    let depth: Int
    let joins: Bool
    let wasShown: Bool
    /// The code that resumed a task: the executor alone would make all tasks alike.
    let resumer: UInt32
    let runs: Int?

    init(_ step: Step) {
      kind = step.event.kind
      stream = step.event.stream
      depth = step.depth
      joins = step.joins
      // A step that was shown before ends a line, so no round extends past it.
      wasShown = step.wasShown
      resumer =
        step.event.runTask == nil
        ? 0 : step.scheduled.map { HopPayload(word: $0.payload.word).stack } ?? 0
      runs = step.earlier?.count
    }
  }
}
