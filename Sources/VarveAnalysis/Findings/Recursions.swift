internal import VarveFormat
internal import VarveProbe

/// Finds recursion that was cut: values that re-entered their own delivery, at which the library
/// stops the program, and work that schedules itself for so long that backtraces leave out where it
/// began.
struct Recursions {
  private let history: TraceHistory
  private let lookup: EventLookup
  private let time: TraceTime

  init(_ history: TraceHistory, lookup: EventLookup, time: TraceTime) {
    self.history = history
    self.lookup = lookup
    self.time = time
  }

  func found() -> [Finding] { stops() + chains() }

  /// Messages about recursion at the end of a thread: when the library stops the program, its
  /// message is among the thread's last events.
  private func stops() -> [Finding] {
    history.lastEvents.values.joined().sorted().compactMap { name in
      guard let event = lookup[name], event.kind == .log,
        RecursionMessage.parts(of: event.payload.text) != nil
      else { return nil }
      var finding = Finding(.recursion)
      finding.stream = event.stream
      finding.count = 1
      finding.evidence = [name] + event.causes.filter(lookup.holds)
      return finding
    }
  }

  /// The smallest number of segments that makes a chain a recursion; shorter chains are the many
  /// steps of one task …
  private static let fewestSegments: UInt64 = 100
  /// … and the longest average pause between its pieces, in nanoseconds. A program that polls a
  /// server every minute for weeks makes such a chain, too, and intends it.
  private static let longestPause: UInt64 = 10_000_000

  private func chains() -> [Finding] {
    history.hops.recursions.chains.compactMap { chain in
      let nanoseconds = time.duration(from: chain.first.ticks, to: chain.last.ticks)
      guard chain.segments >= Self.fewestSegments, nanoseconds / chain.hops <= Self.longestPause
      else { return nil }
      var finding = Finding(.recursion)
      finding.scheduler = chain.scheduler
      finding.count = chain.hops
      finding.nanoseconds = nanoseconds
      finding.evidence = [chain.last.name, chain.first.name]
      return finding
    }
  }
}

extension TraceTime {
  /// Returns the time from one tick to another, in nanoseconds; 0 when the second is not later.
  func duration(from first: UInt64, to last: UInt64) -> UInt64 {
    UInt64(max(nanoseconds(sinceStart: last) - nanoseconds(sinceStart: first), 0))
  }
}
