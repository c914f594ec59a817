internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// What work went on at certain moments of a trace. So whoever looks at its middle sees also what began
/// long before: from such a moment on, few events have to be read.
///
/// It is made by one pass over the events of work, and keeps only what goes on over one of the moments.
final class LongWork: Sendable {
  typealias Spell = ViewerSpell

  /// The moments, in ticks of the trace: events of the same tick come after them.
  private let moments: [UInt64]
  private let spells: [Spell]
  /// By the ID of work.
  let samples: [UInt64: [ViewerSample]]

  /// How many of the moments have been passed: behind them nothing is known yet.
  private let passed: (number: Int, of: Int)

  /// The number of events that had been recorded.
  private let events: UInt64

  /// How many moments of those at which blocks begin are passed over for each that is kept.
  private static let blocks = 8
  /// The number of stretches that are kept, beyond which fewer moments are.
  private static let most = 200_000
  /// The number of pieces of work that are waited for, beyond which others are not followed.
  private static let mostOpen = 200_000
  private static let mostSamples = 20_000

  /// Reads a trace.
  ///
  /// - Parameters:
  ///   - snapshot: the trace, whose lanes are known.
  ///   - most: the number of stretches to keep.
  ///   - blocks: how many blocks there are from moment to moment, at first.
  ///   - isWanted: whether to go on, asked at times. It is given what is known so far, if that is more
  ///     than the last time by an eighth of the whole.
  init(
    _ snapshot: ViewerSnapshot, most: Int = LongWork.most, blocks: Int = LongWork.blocks,
    isWanted: (LongWork?) -> Bool = { _ in true }
  ) {
    var gathering = Gathering(snapshot, most: most, blocks: blocks)
    if let query = gathering.query { gathering.run(query, isWanted) }
    let passed = gathering.moments.count
    (moments, spells, samples) = gathering.result(passed)
    self.passed = (passed, passed)
    events = snapshot.reader.events
  }

  private init(soFar gathering: Gathering) {
    let passed = gathering.slices.moment
    (moments, spells, samples) = gathering.result(passed)
    self.passed = (passed, gathering.moments.count)
    events = 0
  }

  /// Whether all of the trace has been read.
  var isDone: Bool { passed.number == passed.of }

  /// Which part of the trace has been read, in percent.
  var percent: Int { isDone ? 100 : passed.number * 100 / passed.of }

  /// Whether a trace has grown so little since that it is not worth to be read again.
  func isNearlyAll(of reader: TraceReader) -> Bool {
    events >= Self.fewEvents && reader.events < events + events / 4
  }

  /// So few events are read again whenever there are more.
  private static let fewEvents: UInt64 = 100_000

  /// Whether it is known what went on at a tick of the trace.
  func knows(_ tick: UInt64) -> Bool { isDone || tick < moments.last ?? 0 }

  /// Returns the last moment that is not after a tick of the trace, and what went on then; nil if there
  /// is none.
  func work(before tick: UInt64) -> (from: UInt64, spells: [Spell])? {
    let number = moments.partition { $0 > tick }
    guard number > 0 else { return nil }
    return (moments[number - 1], spells.filter { $0.goesOn(at: number) })
  }

  /// Returns what went on for longest among what began in a range of ticks counted from the first.
  func longest(_ ticks: ClosedRange<UInt64>, most: Int) -> [Spell] {
    let inside = spells.filter { ticks.contains($0.tick) }
    guard inside.count > most else { return inside }
    func length(_ spell: Spell) -> UInt64 {
      max(min(spell.end ?? .max, ticks.upperBound), spell.tick) - spell.tick
    }
    return Array(inside.sorted { length($0) > length($1) }.prefix(most))
  }

  /// When something was over, by the event with which it began.
  func ends(_ ticks: ClosedRange<UInt64>) -> [EventName: UInt64] {
    var ends: [EventName: UInt64] = [:]
    for spell in spells where ticks.contains(spell.tick) { ends[spell.name] = spell.end ?? .max }
    return ends
  }
}

extension LongWork {
  /// The pass.
  fileprivate struct Gathering {
    private let snapshot: ViewerSnapshot
    private let most: Int
    private(set) var slices = ViewerSlices()
    private(set) var moments: [UInt64] = []
    private var samples: [UInt64: [ViewerSample]] = [:]
    private let kept: Kept

    /// What went on over a moment.
    private final class Kept {
      var spells: [Spell] = []
      var stride = 1
    }

    init(_ snapshot: ViewerSnapshot, most: Int, blocks: Int) {
      self.snapshot = snapshot
      self.most = most
      let kept = Kept()
      self.kept = kept
      let starts = snapshot.reader.blocks.filter { $0.kinds.mayIntersect(Self.kinds) }
        .map(\.ticks.lowerBound).sorted()
      for place in stride(from: blocks, to: starts.count, by: blocks)
      where starts[place] > moments.last ?? 0 {
        moments.append(starts[place])
      }
      slices.keep = { spell in
        guard spell.spans(kept.stride) else { return }
        kept.spells.append(spell)
        guard kept.spells.count > most else { return }
        kept.stride *= 2
        kept.spells.removeAll { !$0.spans(kept.stride) }
      }
    }

    private static var kinds: KindSet {
      var kinds = KindSet()
      for kind in WorkEvent.kinds { kinds.insert(kind.rawValue) }
      return kinds
    }

    /// Only where there are tasks, it is of interest why work was given.
    private var hasCauses: Bool { !snapshot.tasks.all.isEmpty }

    var query: EventQuery<TraceReader>? {
      var selection = Selection()
      selection.kinds = KindSelection(WorkEvent.kinds)
      let columns = WorkEvent.columns
      return try? EventQuery(
        selection, in: snapshot.reader, columns: hasCauses ? columns.union(.causes) : columns)
    }

    mutating func run(_ query: EventQuery<TraceReader>, _ isWanted: (LongWork?) -> Bool) {
      var query = query
      let eighth = max(1, moments.count / 8)
      var next = eighth
      var lanes = WorkLanes(snapshot.lanes, thread: snapshot.words().thread)
      let (first, hasCauses) = (snapshot.first, hasCauses)
      query.run { page in
        page.forEach { batch, index in
          let ticks = batch.columns.ticks[index]
          while slices.moment < moments.count, moments[slices.moment] <= ticks {
            slices.moment += 1
          }
          let event = WorkEvent(batch, index, hasCauses: hasCauses)
          if event.kind == .hopScheduled, slices.open > mostOpen { return }
          let tick = ticks - min(ticks, first)
          if event.kind == .hopSampled {
            note(event, tick)
          } else if let places = lanes.places(of: event) {
            slices.note(event, tick: tick, places)
          }
        }
        guard slices.moment >= next, slices.moment < moments.count else { return isWanted(nil) }
        next = slices.moment + eighth
        return isWanted(LongWork(soFar: self))
      }
    }

    private mutating func note(_ event: WorkEvent, _ tick: UInt64) {
      guard samples.count < mostSamples || samples[event.hop] != nil else { return }
      samples[event.hop, default: []].append(ViewerSample(event, tick: tick))
    }

    /// The moments that are kept among the first ones, and what went on over each of them.
    func result(_ passed: Int) -> ([UInt64], [Spell], [UInt64: [ViewerSample]]) {
      var all = kept.spells
      var slices = slices
      slices.keep = nil
      slices.finishOpen { if $1.first < $0.moment { all.append($1) } }
      let stride = kept.stride
      let last = passed / stride
      let moments = (1..<last + 1).map { self.moments[$0 * stride - 1] }
      let spells = all.filter { $0.spans(stride) }.map { spell in
        var spell = spell
        spell.first /= stride
        if spell.last != .max { spell.last /= stride }
        return spell
      }
      return (moments, spells, samples)
    }
  }
}

extension Array where Element == UInt64 {
  /// The number of elements, which are in order, before the first for which something holds.
  fileprivate func partition(_ isBehind: (UInt64) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
