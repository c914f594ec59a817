internal import VarveFormat

/// Finds the stretches of time in which events occur, from the ticks of blocks in any order.
struct BusyTicks {
  /// The stretches of the blocks that have ended; some more are not joined yet.
  private var busy = BusyStretches()
  private var more: [ClosedRange<UInt64>] = []
  private var clock: TickConverter?
  /// The first and the last tick.
  private var first = UInt64.max
  private var last: UInt64 = 0
  /// The stretch that goes on.
  private var start: UInt64 = .max
  private var tick: UInt64 = .max
  private var reach = TickReach()

  private static let mostApart = 16_384

  /// Nothing, of no trace.
  static let none = BusyTicks()

  private init() {}

  init(_ time: TraceTime) { clock = TickConverter(time) }

  /// Begins a block.
  mutating func begin() {
    (start, tick) = (.max, .max)
    reach = TickReach()
  }

  /// Notes the time of an event. Most events follow another so soon that nothing has to be computed.
  @inline(__always)
  mutating func note(_ tick: UInt64) {
    if tick >= self.tick, tick <= reach.end, tick &- self.tick <= reach.ticks {
      self.tick = tick
    } else {
      noteApart(tick)
    }
  }

  @inline(never)
  private mutating func noteApart(_ tick: UInt64) {
    end()
    (start, self.tick) = (tick, tick)
    reach = clock?.reach(from: tick, within: busy.grain) ?? TickReach()
  }

  /// Ends a block.
  mutating func end() {
    guard start != .max, tick >= start else { return }
    (first, last) = (min(first, start), max(last, tick))
    let from = time(start)
    more.append(from...max(time(tick), from))
    start = .max
    if more.count >= Self.mostApart { join() }
  }

  private mutating func join() {
    busy.add(more)
    more.removeAll(keepingCapacity: true)
  }

  private mutating func time(_ tick: UInt64) -> UInt64 {
    UInt64(max(clock?.nanoseconds(sinceStart: tick) ?? 0, 0))
  }

  /// The range of times; nil if there are none.
  var range: ClosedRange<UInt64>? {
    guard first != .max else { return nil }
    var copy = self
    let from = copy.time(first)
    return from...max(copy.time(last), from)
  }

  /// The stretches.
  var stretches: BusyStretches {
    var copy = self
    copy.join()
    return copy.busy
  }
}
