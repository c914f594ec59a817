internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// What a few blocks of a long trace tell about all events, so that these are read only once.
///
/// The times of the first and the last event are exact, and no idle period is long enough to be
/// folded. Which streams have events, which are drawn run by run, and which feed each other is what
/// was seen so far: `TimelineExpectation` notices if the other events say otherwise.
struct TimelineSample {
  /// What was found in the blocks.
  let scan: TimelineScan
  /// The pairs of streams of which one fed the other.
  let feeds: Set<StreamEdge>

  /// The number of blocks with the first events, those with the last ones, those at the same
  /// distances in between, and those in which streams first occur.
  private static let (first, last, between, occurrences) = (8, 48, 64, 256)
  /// The smallest number of blocks for which a sample pays.
  private static let fewestBlocks = 16 * (first + last + between)
  /// The greatest number of pairs of streams that feed each other.
  private static let mostFeeds = 1_024
  /// A longer part of the time without events may be folded.
  private static let longestGap: UInt64 = 5

  /// Looks at a few blocks; nil if they do not tell enough.
  ///
  /// - Parameters:
  ///   - lanes: the streams that may get a lane.
  ///   - selection: the events to draw.
  ///   - most: the greatest number of streams that are drawn.
  init?<Source: EventSource>(
    of lanes: Set<UInt32>, _ selection: Selection, most: Int, in source: Source
  ) throws(SelectionError) {
    guard source.blocks.count >= Self.fewestBlocks, lanes.count <= most,
      selection.kinds.isAll
    else { return nil }
    var sweep = try TimelineScan.sweep(selection, in: source)
    guard !sweep.isOrdered, let wanted = sweep.filter.ticks else { return nil }
    let blocks = source.blocks
    let order = blocks.indices.filter { sweep.filter.mayMatch(blocks[$0]) }.sorted {
      (blocks[$0].ticks.lowerBound, $0) < (blocks[$1].ticks.lowerBound, $1)
    }
    // All observations are to be seen, of streams without lanes, too.
    guard order.count == blocks.count, order.count >= Self.fewestBlocks,
      order.allSatisfy({
        wanted.contains(blocks[$0].ticks.lowerBound) && wanted.contains(blocks[$0].ticks.upperBound)
      })
    else { return nil }
    let ends = order.sorted { blocks[$0].ticks.upperBound > blocks[$1].ticks.upperBound }
    var chosen = Set(order.prefix(Self.first)).union(ends.prefix(Self.last))
    for part in 0..<Self.between { chosen.insert(order[order.count * part / Self.between]) }
    chosen.formUnion(Self.firstOnes(of: source.definitions.streams.keys.sorted(), order, blocks))
    let scanned = ScannedLanes(lanes, watched: selection.streams ?? [], source.definitions.streams)
    let parts = try sweep.run(over: chosen, { ScanPart(scanned, source.time) }) {
      $0.look(at: $1, $2)
    }
    let feeds = try StreamFeeds(innerIn: source, blocks: chosen)
    guard sweep.damage.isEmpty, feeds.damage.isEmpty, feeds.edges.count <= Self.mostFeeds else {
      return nil
    }
    var scan = TimelineScan(parts, scanned, source.time)
    self.feeds = feeds.edges
    // What is not among the first blocks begins after their events, and likewise at the end.
    let next = order.first { !chosen.contains($0) }.map { blocks[$0].ticks.lowerBound }
    let previous = ends.first { !chosen.contains($0) }.map { blocks[$0].ticks.upperBound }
    guard let range = scan.range, let next, let previous, let open = scan.lastOpen,
      open > previous
    else { return nil }
    var clock = TickConverter(source.time)
    guard clock.nanoseconds(sinceStart: next) > Int64(clamping: range.lowerBound),
      clock.nanoseconds(sinceStart: previous) < Int64(clamping: range.upperBound)
    else { return nil }
    let stretches = scan.busy.stretches
    let longest = (range.upperBound - range.lowerBound) / Self.longestGap
    for (one, other) in zip(stretches, stretches.dropFirst())
    where other.lowerBound > one.upperBound && other.lowerBound - one.upperBound > longest {
      return nil
    }
    scan.forgetGaps()
    self.scan = scan
  }

  /// The blocks in which streams first occur, as far as their headers tell.
  private static func firstOnes(
    of streams: [UInt32], _ order: [Int], _ blocks: [BlockSummary]
  ) -> Set<Int> {
    var found: Set<Int> = []
    for stream in streams.prefix(occurrences) {
      var one = StreamSet()
      one.insert(stream)
      let first = order.first { blocks[$0].streams.mayIntersect(one) }
      if let first { found.insert(first) }
    }
    return found
  }
}
