internal import CVarveSystem
internal import VarveFormat
internal import VarveProbe

/// What of a trace's file goes into another file of the same trace: all that explains events, and
/// some of the events.
struct TraceExtract {
  let reader: TraceReader
  /// Streams that may be told of in what is written from now on.
  private let living: Set<UInt32>
  /// Rings of threads that live, as far as the file knows of them.
  private let livingRings: Set<UInt32>

  /// Looks at what a writer has written so far.
  ///
  /// - Parameters:
  ///   - livingRings: rings of threads that live, as far as the file knows of them.
  ///   - drainAll: writes what waits in the rings. Called after it is known who lives: then the last
  ///     records of all that are dead are in the file.
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

  /// Above so many streams, those that nothing refers to any more are left out.
  private static let mostStreams = 50_000
  /// Above so many threads, those that have ended and of which nothing is told any more are left out.
  private static let mostThreads = 4_096
  private static let mostAnchors = 256
  private static let mostLosses = 4_096

  /// Writes these events with all that explains them.
  ///
  /// - Parameters:
  ///   - kept: blocks of the file, in its order.
  ///   - tellsRest: whether the other events are told to be missing; not if they stay elsewhere.
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
      // The youngest may have been born since.
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
    // The youngest may have records that are not in the file yet.
    let young = all.keys.sorted()[all.count - Self.mostThreads / 2]
    return all.values.filter { $0.ring >= young || told.contains($0.ring) }
  }

  /// Pairs of ticks and time, evenly thinned out where there are very many.
  private var anchors: [ClockAnchor] {
    let all = reader.anchors
    let step = all.count / Self.mostAnchors + 1
    return all.indices.filter { $0 % step == 0 || $0 == all.count - 1 }.map { all[$0] }
  }

  /// What the file tells of losses, and of each ring the events that are not kept, as one. When they
  /// are too many, the oldest are told together: those of a thread that lives or of which events are
  /// kept, and those of all others.
  private func losses(without kept: [BlockSummary]) -> [TraceLoss] {
    let offsets = Set(kept.map(\.offset))
    let hole = Hole(of: reader.blocks) { offsets.contains($0.offset) }
    var joined = JoinedLosses()
    for block in reader.blocks where !offsets.contains(block.offset) {
      joined.add(UInt64(block.count), block.ticks, of: block.ring, .notKept)
    }
    let all = reader.losses
    let known = livingRings.union(kept.map(\.ring))
    // One that goes on is told of again, and known by its beginning; not so what ring 0 stands for.
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

/// Losses of one ring and reason, told as one.
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

  /// Where the last of each ring and reason are.
  static func latest(of losses: [TraceLoss]) -> Set<Int> {
    let places = losses.enumerated().map { (Key(ring: $1.ring, reason: $1.reason), $0) }
    return Set(Dictionary(places) { _, later in later }.values)
  }
}

/// Between the blocks that are kept of a recording's beginning and those of its end: what the first
/// ones and the last ones of each ring are.
private struct Hole {
  /// By ring, the tick of the last event that is kept before the hole.
  private var begins: [UInt32: UInt64] = [:]
  /// By ring, the tick of the first event that is kept behind it.
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

  /// Whether nothing that is kept lies between a loss and the hole of its ring.
  func contains(_ loss: TraceLoss) -> Bool {
    rings.contains(loss.ring) && loss.ticks.lowerBound > begins[loss.ring] ?? 0
      && loss.ticks.upperBound < ends[loss.ring] ?? .max
  }
}

extension Recorder.Window {
  /// The blocks that are kept: the first `beginning` of them and the last ones.
  ///
  /// - Parameter earliest: the tick from which on everything is kept, of a window in time.
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

  /// How many blocks are the recording's beginning.
  func beginning(of blocks: [BlockSummary]) -> Int {
    var bytes = 0
    return blocks.prefix {
      bytes += Int($0.storedBytes)
      return bytes <= first
    }.count
  }
}
