public import VarveAnalysis
public import VarveFormat
internal import VarveMarbles
internal import VarveProbe

/// A marble diagram for people: what each stream did, lane by lane, on one time axis.
///
/// The trace is read twice: first to find what to draw, then to draw it. Of a long one, a few blocks
/// tell what to draw, and the rest is read once. The memory that it takes does not grow with the
/// number of events.
public struct Timeline {
  /// The options of a timeline.
  public struct Options: Sendable {
    /// The width of the whole picture, in columns.
    public var width: Int
    /// Whether unnamed streams get lanes too. If names are selected, all matching streams get one.
    public var showsAll: Bool
    /// Whether long idle periods are drawn in full.
    public var keepsGaps: Bool
    /// Whether tasks have lanes, too.
    public var showsTasks: Bool
    /// The number of events up to which hops between schedulers are drawn.
    package var mostWithHops: UInt64 = 4_000_000
    /// Whether a look at a few blocks may be enough to know what to draw.
    package var maySample = true

    /// Creates options.
    public init(
      width: Int = 100, showsAll: Bool = false, keepsGaps: Bool = false, showsTasks: Bool = false
    ) {
      self.showsTasks = showsTasks
      self.width = width
      self.showsAll = showsAll
      self.keepsGaps = keepsGaps
    }
  }

  /// A note below the lanes, for what they cannot show.
  struct Note {
    var lane: Int
    var tag: LaneTag
    var isFailure: Bool
    var text: String
  }

  /// The hops between schedulers that led to a lane, from one side to one scheduler.
  struct Hops {
    var lane: Int
    var from: LaneHops.Side
    var to: UInt32
    var count: Int
    /// The longest time from giving the work to delivering something.
    var longest: UInt64
    /// The event that was delivered after it.
    var tag: LaneTag
  }

  /// The damaged blocks that were passed over.
  public private(set) var damage: [TraceFileError] = []
  /// The parts that were left out because there was too much to remember: selected work, and runs
  /// that are drawn wherever there is room, or without an end.
  public private(set) var passedOver = PassedOver()
  /// The number of streams that have no lane because of the limit.
  public private(set) var hiddenLanes = 0

  private(set) var lanes: [Lane] = []
  /// The stream of each lane.
  private(set) var streams: [UInt32] = []
  /// The processes whose numbers stand before the names of lanes; none if the names tell all lanes
  /// apart.
  private(set) var processes: [(number: UInt32, name: String)] = []
  private(set) var axis: TimeAxis?
  private(set) var lost: Set<Int> = []
  private(set) var failures: [Note] = []
  private(set) var hops: [Hops] = []
  /// Whether there are hops that are not drawn because there are too many events.
  private(set) var leavesOutHops = false
  /// Whether all events were read once, after a look at a few blocks.
  package private(set) var isReadOnce = false
  /// The lanes of tasks, below the others.
  private(set) var tasks: [TaskLane] = []
  /// The number of tasks that have no lane because of the limit.
  public private(set) var hiddenTasks = 0

  /// The greatest number of lanes.
  private static let mostLanes = 48

  /// Reads a trace.
  ///
  /// - Parameters:
  ///   - source: the trace.
  ///   - selection: the events to draw.
  ///   - losses: the losses to mark.
  ///   - damaged: the ticks to mark as damaged, besides those of blocks that cannot be read.
  ///   - options: the options of the picture.
  ///   - style: the abilities of the output.
  ///   - symbols: names the code of tasks that wait, which tells a sleep from other waits.
  /// - Throws: a `SelectionError` if the selection names an event that does not exist.
  public init<Source: EventSource>(
    of source: Source, selection: Selection, losses: [TraceLoss] = [],
    damaged: [ClosedRange<UInt64>] = [], options: Options, style: OutputStyle,
    symbols: Symbolizer? = nil
  ) throws(SelectionError) {
    let definitions = source.definitions.streams
    let candidates = Self.candidates(definitions, selection, options)
    let wanted = Wanted(
      candidates: candidates, selection: Self.withParents(candidates, definitions, selection),
      tasks: options.showsTasks ? try TaskLanes(of: source, selection, symbols) : nil,
      options: options,
      ascii: style.ascii, isComplete: losses.isEmpty && damaged.isEmpty)
    var unreadable: [TraceFileError] = []
    if try !drawAtOnce(wanted, of: source) {
      let scan = try TimelineScan(lanes: candidates, selection: wanted.selection, in: source)
      (damage, passedOver, unreadable) = (scan.damage, scan.passedOver, scan.damage)
      let shown = limit(candidates.filter { scan[$0]?.events ?? 0 > 0 }, scan, definitions)
      let feeds = try StreamFeeds(innerIn: source)
      damage += feeds.damage
      let flow = StreamFlow(of: shown, definitions: definitions, feeds: feeds.edges)
      _ = try draw(wanted, scan, flow, fedBy: feeds.edges, of: source)
    }
    guard let axis else { return }
    let missing =
      losses.filter { $0.reason != .notDefined }.map(\.ticks) + damaged
      + unreadable.compactMap { $0.block.map { source.blocks[$0].ticks } }
    lost = try Self.columns(of: missing, on: axis, selection, in: source)
  }

  /// What is to be drawn, and how.
  private struct Wanted {
    /// The streams that may get a lane.
    var candidates: Set<UInt32>
    var selection: Selection
    var tasks: TaskLanes?
    var options: Options
    var ascii: Bool
    /// Whether no losses and no damage are known.
    var isComplete: Bool
  }

  /// Draws the streams of a long trace while its events are read for the first time, after a look at
  /// a few of its blocks. Returns false if these did not tell what the others are like.
  private mutating func drawAtOnce<Source: EventSource>(
    _ wanted: Wanted, of source: Source
  ) throws(SelectionError) -> Bool {
    guard wanted.tasks == nil, wanted.options.maySample,
      let sample = try TimelineSample(
        of: wanted.candidates, wanted.selection, most: Self.mostLanes, in: source)
    else { return false }
    let definitions = source.definitions.streams
    let shown = wanted.candidates.filter { sample.scan[$0]?.events ?? 0 > 0 }
    let flow = StreamFlow(of: shown, definitions: definitions, feeds: sample.feeds)
    let expectation = TimelineExpectation(
      sample, lanes: wanted.candidates, shown: shown, definitions)
    var drawn = self
    guard try drawn.draw(wanted, sample.scan, flow, fedBy: sample.feeds, of: source, expectation)
    else { return false }
    self = drawn
    isReadOnce = true
    return true
  }

  /// Draws the lanes; returns false if something is not as it was expected.
  private mutating func draw<Source: EventSource>(
    _ wanted: Wanted, _ found: TimelineScan, _ flow: StreamFlow, fedBy feeds: Set<StreamEdge>,
    of source: Source, _ expectation: TimelineExpectation? = nil
  ) throws(SelectionError) -> Bool {
    let definitions = source.definitions.streams
    var (scan, tasks) = (found, wanted.tasks)
    if let tasks { scan.include(tasks.busy.stretches, tasks.range) }
    guard let range = scan.range else { return true }
    let depth = min(flow.nodes.map(\.depth).max() ?? 0, 6)
    let longest = flow.nodes.map { node in
      let name = TerminalText.escaped(definitions[node.stream]?.name ?? "", ascii: wanted.ascii)
      return DisplayWidth.of(name) + 2 * min(node.depth, depth)
    }
    let widest = max(longest.max() ?? 0, tasks?.labelWidth(ascii: wanted.ascii) ?? 0)
    // The numbers of processes may stand before them.
    let all = ProcessNames(source.definitions.threads.values).numbered
    let number = all.last.map { "\($0.number):".count } ?? 0
    let label = min(widest + number, Chart.widestLabel)
    let columns = max(wanted.options.width - label - 2, 20)
    let start = range.lowerBound < range.upperBound / 20 ? 0 : range.lowerBound
    let axis = TimeAxis(
      range: start...range.upperBound,
      busy: wanted.options.keepsGaps ? [] : scan.busy.stretches,
      columns: columns - scan.trailingColumns(of: columns))
    self.axis = axis
    var painter = TimelinePainter(
      flow, fedBy: feeds, of: source, axis: axis, columns: columns, ascii: wanted.ascii,
      mostWithHops: wanted.options.mostWithHops, isComplete: wanted.isComplete,
      hasRuns: { scan.hasRuns($0) })
    var selection = wanted.selection
    selection.streams?.formUnion(painter.feeders)
    let holds = try painter.paint(selection, from: source, expectation: expectation)
    guard holds else { return false }
    (lanes, streams, failures, hops) = painter.finish()
    tellProcesses(painter.recordings, in: source)
    leavesOutHops = painter.leavesOutHops && !source.definitions.schedulers.isEmpty
    passedOver = passedOver + painter.passedOver
    try tasks?.paint(source, on: axis, columns: columns)
    if let tasks { take(tasks) }
    return true
  }

  /// Puts the number of its process before the name of each lane, as before those of events, if streams
  /// of several processes have one name.
  private mutating func tellProcesses(
    _ recordings: [UInt32: UInt32], in source: some EventSource
  ) {
    let all = ProcessNames(source.definitions.threads.values).numbered
    guard all.count > 1 else { return }
    var known: [String: UInt32] = [:]
    let isShared = zip(lanes, streams).contains { lane, stream in
      guard !lane.name.isEmpty, let recording = recordings[stream] else { return false }
      defer { known[lane.name] = recording }
      return known[lane.name].map { $0 != recording } ?? false
    }
    guard isShared else { return }
    processes = all.filter { process in recordings.values.contains(process.number) }
    for (index, stream) in streams.enumerated() where !lanes[index].name.isEmpty {
      if let recording = recordings[stream] { lanes[index].process = "\(recording):" }
    }
  }

  /// Whether there is nothing to draw.
  public var isEmpty: Bool { lanes.isEmpty && tasks.isEmpty }

  /// Whether there are lanes of tasks.
  public var hasTasks: Bool { !tasks.isEmpty }

  private mutating func take(_ drawn: TaskLanes) {
    (tasks, hiddenTasks) = (drawn.lanes, drawn.hidden)
    damage += drawn.damage
    passedOver = passedOver + drawn.passedOver
  }

  private static func candidates(
    _ definitions: [UInt32: StreamDefinition], _ selection: Selection, _ options: Options
  ) -> Set<UInt32> {
    let matching = definitions.values.filter { selection.matches($0) }
    if options.showsAll || selection.choosesStreams { return Set(matching.map(\.id)) }
    let named = matching.filter(\.isNamed)
    return Set((named.isEmpty ? matching : named).map(\.id))
  }

  /// Selects the candidates and their parents: a run begins with a record of its parent stream.
  private static func withParents(
    _ candidates: Set<UInt32>, _ definitions: [UInt32: StreamDefinition], _ selection: Selection
  ) -> Selection {
    var watched = selection
    watched.names = []
    watched.excluded = []
    watched.streams = candidates.union(candidates.flatMap { definitions[$0]?.parents ?? [] })
    return watched
  }

  /// Keeps as many streams as a picture has room for: first those that were asked for by name or
  /// that the program named, then those with the most events.
  private mutating func limit(
    _ streams: Set<UInt32>, _ scan: TimelineScan, _ definitions: [UInt32: StreamDefinition]
  ) -> Set<UInt32> {
    guard streams.count > Self.mostLanes else { return streams }
    hiddenLanes = streams.count - Self.mostLanes
    func rank(_ stream: UInt32) -> (Int, Int, Int) {
      let isNamed = definitions[stream]?.isNamed == true
      return (isNamed ? 1 : 0, scan[stream]?.events ?? 0, -Int(stream))
    }
    return Set(streams.sorted { rank($0) > rank($1) }.prefix(Self.mostLanes))
  }

  /// Returns the columns of stretches of ticks, as far as they lie in the selected time.
  private static func columns(
    of stretches: [ClosedRange<UInt64>], on axis: TimeAxis, _ selection: Selection,
    in source: some EventSource
  ) throws(SelectionError) -> Set<Int> {
    var columns: Set<Int> = []
    guard !stretches.isEmpty else { return columns }
    let isWhole = selection.since == nil && selection.until == nil
    let wanted = isWhole ? 0...UInt64.max : try EventFilter(selection, in: source).ticks
    for stretch in stretches {
      guard let wanted, wanted.overlaps(stretch) else { continue }
      let part = stretch.clamped(to: wanted)
      let first = source.time.nanoseconds(sinceStart: part.lowerBound)
      let last = source.time.nanoseconds(sinceStart: part.upperBound)
      columns.formUnion(
        axis.column(UInt64(max(first, 0)))...axis.column(UInt64(max(last, first, 0))))
    }
    return columns
  }
}
