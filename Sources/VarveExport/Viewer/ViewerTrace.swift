internal import VarveAnalysis
internal import VarveFormat

/// What the page knows of a trace before it asks for events: where it comes from, its clock, its
/// lanes, its losses and damage.
struct ViewerTrace {
  private let reader: TraceReader
  private let first: UInt64
  private let files: [String]
  /// What was found to be damaged while blocks were read.
  private let found: [TraceFileError]

  init(
    _ reader: TraceReader, first: UInt64, _ files: [String], damage: [TraceFileError] = []
  ) {
    self.reader = reader
    self.first = first
    self.files = files
    found = damage
  }

  /// - Parameters:
  ///   - isExact: whether counts of tiles are exact.
  ///   - generation: a number that grows with the trace.
  ///   - isCompared: whether it can be told how the trace differs from another.
  func json(
    _ lanes: ViewerLanes, isExact: Bool = true, generation: Int = 0, isCompared: Bool = false
  ) -> String {
    let last = max(TraceSpan(of: reader).ticks?.upperBound ?? first, lastAlive)
    let names = files.map { JSONText.quoted($0) }.joined(separator: ",")
    let warnings = reader.warnings.map { JSONText.quoted($0) }.joined(separator: ",")
    let arguments = reader.header.process.arguments.map { JSONText.quoted($0) }
    return TraceSummaryJSON.members(reader, damage: nil, of: JSONMembers())
      .adding("files", "[\(names)]")
      .adding("arguments", "[" + arguments.joined(separator: ",") + "]")
      .adding("ticks", String(last - first))
      .adding("clock", clock(to: last))
      .adding("exact", String(isExact)).adding("generation", String(generation))
      .adding("diff", String(isCompared))
      .adding("losses", "[" + reader.losses.map { loss($0, lanes) }.joined(separator: ",") + "]")
      .adding("damage", "[" + damage(to: last).joined(separator: ",") + "]")
      .adding("warnings", "[\(warnings)]")
      .adding("lanes", lanes.json())
      .text
  }

  /// The tick until which the program is known to have lived; 0 if it ended by itself. A program that
  /// hangs records nothing, and what is open then goes on.
  private var lastAlive: UInt64 { reader.ending == .clean ? 0 : reader.time.lastTick }

  /// Moments as pairs of ticks and nanoseconds; between two of them, time is linear.
  private func clock(to last: UInt64) -> String {
    let anchors = reader.time.anchors.map(\.ticks).filter { $0 > first && $0 < last }
    let ticks = [first] + anchors + [max(last, first + 1)]
    let pairs = ticks.map { "[\($0 - first),\(reader.nanoseconds(sinceStart: $0))]" }
    return "[" + pairs.joined(separator: ",") + "]"
  }

  /// Where events may be missing because the file is damaged.
  private func damage(to last: UInt64) -> [String] {
    let unread = Set(found.compactMap(\.block)).filter(reader.blocks.indices.contains).sorted()
      .map { reader.blocks[$0].ticks }
    return (reader.damagedTicks + unread).map { ticks in
      let from = min(max(ticks.lowerBound, first), last)
      return "{\"from\":\(from - first),\"to\":\(min(max(ticks.upperBound, from), last) - first)}"
    }
  }

  private func loss(_ loss: TraceLoss, _ lanes: ViewerLanes) -> String {
    let threads = ThreadNames(reader.definitions.threads, pid: reader.header.process.pid)
    func tick(_ tick: UInt64) -> String { String(tick - min(tick, first)) }
    return JSONMembers().adding("thread", JSONText.quoted(threads[loss.ring]))
      .adding("lane", lanes.lane(ofKnownThread: loss.ring).map { String($0) } ?? "null")
      .adding("count", String(loss.count))
      .adding("from", tick(loss.ticks.lowerBound)).adding("to", tick(loss.ticks.upperBound)).text
  }
}
