internal import CVarveSystem
internal import VarveFormat
internal import VarveProbe

/// The part of a trace's file that goes into another file of the same trace: all definitions that
/// explain events, and some of the events.
struct TraceExtract {
  let reader: TraceReader
  /// Streams that later events may refer to.
  private let living: Set<UInt32>
  /// Rings of live threads, as far as the file knows them.
  private let livingRings: Set<UInt32>

  /// Reads what a writer has written so far.
  ///
  /// - Parameters:
  ///   - livingRings: Rings of live threads, as far as the file knows them.
  ///   - drainAll: Writes the records waiting in the rings. Called after the live streams are
  ///     determined, so that the last records of all others are in the file.
  init(
    of writer: TraceWriter, _ livingRings: Set<UInt32>, drainAll: () throws(TraceFileError) -> Void
  ) throws(TraceFileError) {
    self.livingRings = livingRings.subtracting([0])
    let first = try TraceReader(writtenBy: writer)
    guard first.definitions.streams.count > Self.mostStreams else {
      reader = first
      living = []
      return
    }
    living = Set(Probe.liveStreams().map(\.id))
    try drainAll()
    reader = try TraceReader(writtenBy: writer)
  }

  /// The number of streams above which those that nothing refers to any more are left out.
  private static let mostStreams = 50_000
  /// The number of threads above which those that have ended, and that nothing refers to any more,
  /// are left out.
  private static let mostThreads = 4_096
  private static let mostAnchors = 256
  private static let mostLosses = 4_096

  /// Writes some events with everything that explains them.
  ///
  /// - Parameters:
  ///   - kept: Blocks of the file, in its order.
  ///   - tellsRest: Whether the other events are reported as missing; false if they stay elsewhere.
  func write(_ kept: [BlockSummary], tellsRest: Bool, to target: TraceWriter)
    throws(TraceFileError)
  {
    let losses = tellsRest ? losses(without: kept) : []
    try target.append(definitions: definitions(for: kept, losses))
    for anchor in anchors { try target.append(anchor: anchor) }
    if tellsRest { try target.append(losses: losses) }
    let source = BlockSource(reader)
    for block in kept {
      try target.append(copyOf: block, from: source)
      vv_drain_pause()
    }
  }

  private func definitions(for kept: [BlockSummary], _ losses: [TraceLoss]) -> [TraceDefinition] {
    let all = reader.definitions
    var streams = Array(all.streams.values)
    if streams.count > Self.mostStreams {
      // The newest may have been created since.
      let young = streams.map(\.id).sorted()[streams.count - Self.mostStreams / 2]
      let told = kept.reduce(into: StreamSet()) { set, block in
        for index in set.words.indices { set.words[index] |= block.streams.words[index] }
      }
      streams.removeAll {
        $0.id < young && !living.contains($0.id) && !told.mayContain($0.id)
      }
    }
    return all.modules.values.map { .module($0) } + all.symbols.values.map { .symbol($0) }
      + all.stacks.values.map { .stack($0) } + all.schedulers.values.map { .scheduler($0) }
      + threads(of: kept, losses).map { .thread($0) }
      + streams.sorted { $0.id < $1.id }.map { .stream($0) }
  }

  private func threads(of kept: [BlockSummary], _ losses: [TraceLoss]) -> [ThreadDefinition] {
    let all = reader.definitions.threads
    guard all.count > Self.mostThreads else { return Array(all.values) }
    let told = livingRings.union(kept.map(\.ring)).union(losses.map(\.ring))
    // The newest may have records that are not in the file yet.
    let young = all.keys.sorted()[all.count - Self.mostThreads / 2]
    return all.values.filter { $0.ring >= young || told.contains($0.ring) }
  }

  /// The clock anchors, evenly thinned out if there are very many.
  private var anchors: [ClockAnchor] {
    let all = reader.anchors
    let step = all.count / Self.mostAnchors + 1
    return all.indices.filter { $0 % step == 0 || $0 == all.count - 1 }.map { all[$0] }
  }

  /// Returns the losses reported in the file, and for each ring the events that are not kept, as
  /// one loss. If there are too many, the oldest are combined: per thread, if it is alive or some
  /// of its events are kept, and in one for all others.
  private func losses(without kept: [BlockSummary]) -> [TraceLoss] {
    let offsets = Set(kept.map(\.offset))
    let hole = Hole(of: reader.blocks) { offsets.contains($0.offset) }
    var joined = JoinedLosses()
    for block in reader.blocks where !offsets.contains(block.offset) {
      joined.add(UInt64(block.count), block.ticks, of: block.ring, .notKept)
    }
    let all = reader.losses
    let known = livingRings.union(kept.map(\.ring))
    // A run that continues is reported again and identified by its start, except for ring 0.
    let latest = JoinedLosses.latest(of: all)
    let tooMany = all.count - Self.mostLosses
    var told: [TraceLoss] = []
    for (index, loss) in all.enumerated() {
      let isNotKept = loss.reason == .notKept
      let isOld = tooMany > 0 && (index < tooMany || loss.ring == 0)
      let mayGoOn = !isNotKept && latest.contains(index) && livingRings.contains(loss.ring)
      if isNotKept && hole.contains(loss) {
        joined.add(loss.count, loss.ticks, of: loss.ring, .notKept)
      } else if !isOld || mayGoOn {
        told.append(loss)
      } else if !known.contains(loss.ring) {
        joined.add(loss.count, loss.ticks, of: 0, loss.reason)
      } else if !isNotKept || joined.has(loss.ring, .notKept) {
        joined.add(loss.count, loss.ticks, of: loss.ring, loss.reason)
      } else {
        told.append(loss)
      }
    }
    return joined.all + told
  }
}

/// Losses of one ring and reason, combined into one.
private struct JoinedLosses {
  private struct Key: Hashable {
    let ring: UInt32
    let reason: TraceLoss.Reason
  }

  private var losses: [Key: TraceLoss] = [:]

  var all: [TraceLoss] {
    losses.values.sorted {
      ($0.ring, $0.ticks.lowerBound) < ($1.ring, $1.ticks.lowerBound)
    }
  }

  func has(_ ring: UInt32, _ reason: TraceLoss.Reason) -> Bool {
    losses[Key(ring: ring, reason: reason)] != nil
  }

  mutating func add(
    _ count: UInt64, _ ticks: ClosedRange<UInt64>, of ring: UInt32, _ reason: TraceLoss.Reason
  ) {
    let key = Key(ring: ring, reason: reason)
    guard let known = losses[key] else {
      losses[key] = TraceLoss(ring: ring, count: count, ticks: ticks, reason: reason)
      return
    }
    let first = min(known.ticks.lowerBound, ticks.lowerBound)
    let last = max(known.ticks.upperBound, ticks.upperBound)
    losses[key] = TraceLoss(
      ring: ring, count: known.count &+ count, ticks: first...last, reason: reason)
  }

  /// Returns the indices of the last loss of each ring and reason.
  static func latest(of losses: [TraceLoss]) -> Set<Int> {
    let places = losses.enumerated().map { (Key(ring: $1.ring, reason: $1.reason), $0) }
    return Set(Dictionary(places) { _, later in later }.values)
  }
}

/// The gap between the blocks kept of a recording's beginning and those of its end, by ring.
private struct Hole {
  /// By ring, the tick of the last event kept before the gap.
  private var begins: [UInt32: UInt64] = [:]
  /// By ring, the tick of the first event kept after the gap.
  private var ends: [UInt32: UInt64] = [:]
  private var rings: Set<UInt32> = []

  init(of blocks: [BlockSummary], isKept: (BlockSummary) -> Bool) {
    for block in blocks {
      if !isKept(block) {
        rings.insert(block.ring)
      } else if rings.contains(block.ring) {
        ends[block.ring] = min(ends[block.ring] ?? .max, block.ticks.lowerBound)
      } else {
        begins[block.ring] = max(begins[block.ring] ?? 0, block.ticks.upperBound)
      }
    }
  }

  /// Returns whether nothing that is kept lies between a loss and the gap of its ring.
  func contains(_ loss: TraceLoss) -> Bool {
    rings.contains(loss.ring) && loss.ticks.lowerBound > begins[loss.ring] ?? 0
      && loss.ticks.upperBound < ends[loss.ring] ?? .max
  }
}

extension Recorder.Window {
  /// Returns the blocks that are kept: the first `beginning` and the last ones.
  ///
  /// - Parameter earliest: For a window in time, the tick from which everything is kept.
  func kept(of blocks: [BlockSummary], beginning: Int, earliest: UInt64) -> [BlockSummary] {
    var start = blocks.count
    switch last {
    case .bytes(let most):
      var bytes: UInt64 = 0
      while start > beginning, bytes < most {
        start -= 1
        bytes += blocks[start].storedBytes
      }
    case .time:
      start = blocks.firstIndex { $0.ticks.upperBound >= earliest } ?? blocks.count
    }
    return Array(blocks.prefix(min(beginning, start))) + blocks[start...]
  }

  /// Returns the number of blocks that make up the recording's beginning.
  func beginning(of blocks: [BlockSummary]) -> Int {
    var bytes = 0
    return blocks.prefix {
      bytes += Int($0.storedBytes)
      return bytes <= first
    }.count
  }
}
