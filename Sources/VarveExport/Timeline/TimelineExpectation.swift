internal import Synchronization
internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// What a sample of a trace makes a timeline expect of all events. While these are drawn, each
/// thread that reads them tells of what was not expected; then the timeline is drawn anew, with
/// everything known.
final class TimelineExpectation: Sendable {
  /// What is expected of the events of a stream that may have a lane.
  struct Stream: Sendable {
    /// Whether events are expected.
    var isShown = true
    /// Whether the stream is drawn run by run, so that nothing else about it can surprise.
    var hasRuns = false
    /// Whether events of a run are a surprise.
    var isRunless = false
    /// The number of times that each parent may be attached to the stream.
    var starts: [UInt32: Int] = [:]
  }

  /// The streams that may have lanes, by their slots.
  let slots: StreamSlots
  let streams: [Stream]
  /// Those of which no events are expected.
  let hidden: Set<UInt32>
  /// Pairs of streams that may feed each other, at the places of their hashes; 0 for none.
  private let edges: [UInt64]
  private let broken = Atomic<Bool>(false)
  private let counts: Lock<(ends: [Int], starts: [StreamEdge: Int])>

  /// - Parameters:
  ///   - sample: what is known.
  ///   - lanes: the streams that may have lanes.
  ///   - shown: those that have one.
  init(
    _ sample: TimelineSample, lanes: Set<UInt32>, shown: Set<UInt32>,
    _ definitions: [UInt32: StreamDefinition]
  ) {
    var slots = StreamSlots()
    var streams: [Stream] = []
    for lane in lanes.sorted() {
      slots.add(lane, slot: streams.count)
      var stream = Stream(isShown: shown.contains(lane))
      if let definition = definitions[lane] {
        stream.hasRuns = sample.scan.hasRuns(definition)
        stream.isRunless = definition.parents.isEmpty && !stream.hasRuns
        for parent in definition.parents { stream.starts[parent, default: 0] += 1 }
      }
      streams.append(stream)
    }
    (self.slots, self.streams, hidden) = (slots, streams, lanes.subtracting(shown))
    let known = definitions.values.flatMap { stream in
      stream.parents.map { StreamEdge(from: $0, to: stream.id) }
    }
    edges = Self.table(sample.feeds.union(known))
    counts = Lock((Array(repeating: 0, count: streams.count), [:]))
  }

  /// Whether everything was as expected so far.
  var holds: Bool { !broken.load(ordering: .relaxed) }

  /// Notes that something was not expected.
  func fail() { broken.store(true, ordering: .relaxed) }

  /// Notes an end of a stream, or that one was attached to another.
  @inline(__always)
  func note(_ kind: RecordKind, _ stream: UInt32, run: UInt64, word: @autoclosure () -> UInt64) {
    switch kind {
    case .failed, .completed, .interrupted:
      if let slot = slots.find(stream) { noteEnd(slot, run) }
    case .subscribed: noteStart(stream, UInt32(truncatingIfNeeded: word()))
    default: return
    }
  }

  private func noteEnd(_ slot: Int, _ run: UInt64) {
    let expected = streams[slot]
    guard expected.isShown else { return fail() }
    guard !expected.hasRuns else { return }
    if expected.isRunless, run != 0 { fail() }
    let ends = counts.withLock { counts in
      counts.ends[slot] += 1
      return counts.ends[slot]
    }
    if ends > 1 { fail() }
  }

  private func noteStart(_ stream: UInt32, _ fed: UInt32) {
    guard fed != 0 else { return }
    let edge = StreamEdge(from: stream, to: fed)
    if !knows(edge) { fail() }
    guard let slot = slots.find(fed), !streams[slot].hasRuns,
      let most = streams[slot].starts[stream]
    else { return }
    let starts = counts.withLock { counts in
      counts.starts[edge, default: 0] += 1
      return counts.starts[edge, default: 0]
    }
    if starts > most { fail() }
  }

  // MARK: - Pairs

  private static func table(_ known: Set<StreamEdge>) -> [UInt64] {
    var size = 64
    while size < known.count * 4 { size *= 2 }
    var table = [UInt64](repeating: 0, count: size)
    for edge in known {
      var place = place(edge, in: size)
      while table[place] != 0 { place = (place + 1) & (size - 1) }
      table[place] = word(edge)
    }
    return table
  }

  private static func word(_ edge: StreamEdge) -> UInt64 {
    UInt64(edge.from) << 32 | UInt64(edge.to)
  }

  private static func place(_ edge: StreamEdge, in size: Int) -> Int {
    let mixed = word(edge) &* 0x9e37_79b9_7f4a_7c15
    return Int(truncatingIfNeeded: mixed >> 32) & (size - 1)
  }

  private func knows(_ edge: StreamEdge) -> Bool {
    let wanted = Self.word(edge)
    var place = Self.place(edge, in: edges.count)
    while edges[place] != 0 {
      if edges[place] == wanted { return true }
      place = (place + 1) & (edges.count - 1)
    }
    return false
  }
}
