internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// A trace as it was at one moment, and what the viewer knows of it.
final class ViewerSnapshot: Sendable {
  let reader: TraceReader
  /// The first tick, from which the page counts.
  let first: UInt64
  /// Whether there has been an event, so that there is a first tick.
  private let hasFirst: Bool
  let lanes: TileLanes
  /// The tasks that have lanes; none before the pass.
  let tasks: LanedTasks
  /// Nil if there are no events.
  let pyramid: TilePyramid?
  /// A number that grows with the trace.
  let generation: Int
  /// The streams that fed each other, which decides the order of lanes; none before the pass.
  private let feeds: Set<StreamEdge>
  private let hasOrder: Bool
  /// What work goes on for long; nil before the pass that finds it. Of a trace that grows, it may
  /// know only the first part, and what comes then is read when it is asked for; so it is while the pass
  /// is being made.
  let work: LongWork?

  /// Plans the first picture of a trace. Lanes keep the numbers that they had before.
  init(_ reader: TraceReader, after before: ViewerSnapshot? = nil) {
    self.reader = reader
    let own = TraceSpan(of: reader).ticks?.lowerBound
    // A flight recorder drops its oldest events, but the page goes on to count from the first. Of a
    // recording that has just begun there may be none yet.
    let known = before.flatMap { $0.hasFirst ? $0.first : nil }
    first = [known, own].compactMap(\.self).min() ?? 0
    hasFirst = known != nil || own != nil
    generation = (before?.generation ?? -1) + 1
    feeds = before?.feeds ?? []
    hasOrder = false
    work = before?.work
    tasks = before?.tasks ?? LanedTasks()
    let words = TraceWords(reader, pid: reader.pid, style: .plain)
    var lanes = before?.lanes ?? TileLanes([])
    for lane in ViewerLanes(of: reader, feeds: [], words, first: first).kinds { lanes.add(lane) }
    self.lanes = lanes
    pyramid = TilePyramid(reader, lanes: lanes, from: first)
  }

  private init(
    _ other: ViewerSnapshot, _ pyramid: TilePyramid?, _ feeds: Set<StreamEdge>, _ tasks: LanedTasks,
    isOrdered: Bool, _ work: LongWork? = nil
  ) {
    reader = other.reader
    first = other.first
    hasFirst = other.hasFirst
    self.tasks = tasks
    hasOrder = isOrdered
    self.work = work ?? other.work
    var lanes = other.lanes
    for task in tasks.all { lanes.add(.task(task.id)) }
    self.lanes = lanes
    generation = other.generation + 1
    self.pyramid = pyramid
    self.feeds = feeds
  }

  /// The same with exact counts.
  func with(_ pyramid: TilePyramid) -> ViewerSnapshot {
    ViewerSnapshot(self, pyramid, feeds, tasks, isOrdered: false)
  }

  /// The same with lanes in the order in which values flow, and lanes of tasks.
  func with(_ feeds: Set<StreamEdge>) -> ViewerSnapshot {
    ViewerSnapshot(self, pyramid, feeds, LanedTasks(reader), isOrdered: true)
  }

  /// The same with what work goes on for long, unless what is known of it is nearly all.
  func withLongWork() -> ViewerSnapshot {
    guard work?.isNearlyAll(of: reader) != true else { return self }
    return with(LongWork(self))
  }

  /// The same with what work goes on for long.
  func with(_ work: LongWork) -> ViewerSnapshot {
    ViewerSnapshot(self, pyramid, feeds, tasks, isOrdered: true, work)
  }

  var isExact: Bool { pyramid?.isExact ?? true }

  /// Whether lanes have their order. It is found out after the exact counts, which are worth
  /// being seen before.
  var isOrdered: Bool { hasOrder || pyramid == nil }

  /// Whether everything that takes a pass is known. What work goes on for long comes last.
  var isWhole: Bool { work?.isDone ?? (pyramid == nil) }

  /// The words of a trace; `symbols` finds places of operators.
  func words(_ symbols: Symbolizer? = nil) -> TraceWords {
    TraceWords(reader, pid: reader.pid, style: .plain, symbols: symbols)
  }

  /// The trace as the page asks for it first.
  func json(_ files: [String], isCompared: Bool = false) -> String {
    var layout = ViewerLanes(of: reader, feeds: feeds, words(), first: first)
    layout.add(tasks)
    layout.number(as: lanes)
    if let tallies = pyramid?.tallies { layout.learn(tallies) }
    return ViewerTrace(reader, first: first, files, damage: pyramid?.damage ?? [])
      .json(layout, isExact: isExact, generation: generation, isCompared: isCompared)
  }

  /// Returns a range of ticks that the page counted from the first.
  func ticks(from: UInt64?, to: UInt64?) -> ClosedRange<UInt64>? {
    let (from, to) = (from ?? 0, to ?? .max)
    guard from <= to, from <= UInt64.max - first else { return nil }
    return first + from...(to > UInt64.max - first ? .max : first + to)
  }

  /// A selection of a period and lanes. Which lanes an event is in has to be asked of `wanted`,
  /// except of those of streams.
  func selection(_ question: ViewerQuestion) -> (Selection, wanted: Set<Int>?)? {
    guard let ticks = ticks(from: question.number("from"), to: question.number("to")) else {
      return nil
    }
    var selection = Selection()
    selection.ticks = ticks
    guard let lanes = question.lanes else { return (selection, nil) }
    return (selection.of(lanes, self.lanes), Set(lanes))
  }
}

extension Selection {
  /// The selection with those streams alone that are among some lanes, if all of them are streams.
  func of(_ lanes: [Int], _ all: TileLanes) -> Selection {
    var streams: Set<UInt32> = []
    for lane in lanes {
      guard all.all.indices.contains(lane) else { continue }
      guard case .stream(let id) = all.all[lane] else { return self }
      streams.insert(id)
    }
    var selection = self
    selection.streams = streams
    return selection
  }
}
