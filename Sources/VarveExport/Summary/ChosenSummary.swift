public import VarveAnalysis
public import VarveFormat
internal import VarveMarbles
internal import VarveProbe

/// What a selection contains of a trace: how many events, of which streams, on which threads, when.
public struct ChosenSummary {
  /// The number of events.
  public private(set) var events: UInt64 = 0
  /// The threads on which they happened.
  public private(set) var rings: Set<UInt32> = []
  /// The parts of the trace that were passed over because they are damaged.
  public private(set) var damage: [TraceFileError] = []
  /// What was passed over because it would have taken too much memory.
  public private(set) var passedOver = PassedOver()

  private var streams: Set<UInt32> = []
  private var firstTick: UInt64?
  private var lastTick: UInt64?
  private let time: TraceTime

  /// Counts the events that a selection contains.
  ///
  /// - Throws: a `SelectionError` if the selection does not fit the trace.
  public init(_ selection: Selection, in source: some EventSource) throws(SelectionError) {
    time = source.time
    var query = try EventQuery(selection, in: source, columns: [.ticks, .kinds, .streams])
    var (streams, rings, first, last) = (streams, rings, firstTick, lastTick)
    query.run { page in
      page.forEachRun { entries, block in
        rings.insert(block.ring)
        for entry in entries {
          let index = Int(entry.index)
          let tick = block.ticks[index]
          first = min(first ?? tick, tick)
          last = max(last ?? tick, tick)
          if !Hops.contains(block.kinds[index]), block.streams[index] != 0 {
            streams.insert(block.streams[index])
          }
        }
      }
      return true
    }
    (self.streams, self.rings, firstTick, lastTick) = (streams, rings, first, last)
    events = query.count
    damage = query.damage
    passedOver = query.passedOver
  }

  /// Returns the line of a page.
  public func text(_ style: OutputStyle) -> String {
    guard let firstTick, let lastTick else { return line("no event", style) }
    func moment(_ tick: UInt64) -> String {
      ElapsedTime.short(nanoseconds: UInt64(max(time.nanoseconds(sinceStart: tick), 0)))
    }
    return line(
      "\(Counted.text(events, "event", "events")) of "
        + "\(Counted.text(UInt64(streams.count), "stream", "streams")) on "
        + "\(Counted.text(UInt64(rings.count), "thread", "threads")), "
        + "from \(moment(firstTick)) to \(moment(lastTick))", style)
  }

  private func line(_ text: String, _ style: OutputStyle) -> String {
    let parts = style.wrapped(text, indent: 12)
    let rest = parts.dropFirst().map { String(repeating: " ", count: 12) + $0 + "\n" }
    return "  " + style.paint("chosen    ", .dim) + parts[0] + "\n" + rest.joined()
  }

  /// Returns an object with the keys `events`, `streams`, `threads`, `first_ns` and `last_ns`.
  public var json: String {
    func moment(_ tick: UInt64?) -> String {
      tick.map { String(time.nanoseconds(sinceStart: $0)) } ?? "null"
    }
    return JSONMembers()
      .adding("events", String(events))
      .adding("streams", String(streams.count))
      .adding("threads", String(rings.count))
      .adding("first_ns", moment(firstTick))
      .adding("last_ns", moment(lastTick)).text
  }
}
