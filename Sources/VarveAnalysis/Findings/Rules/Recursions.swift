internal import VarveFormat
internal import VarveProbe

/// Finds recursion that was cut: values that re-entered their own delivery, and threads that wait for
/// each other, at which the library stops the program; and work that schedules itself for so long
/// that backtraces leave out where it began.
struct Recursions: FindingRule {
  private let facts: FindingFacts

  init?(_ facts: FindingFacts) { self.facts = facts }

  mutating func findings() -> [Finding] { stops() + chains() }

  /// Messages about recursion at the end of a thread: when the library stops the program, its
  /// message is among the thread's last events.
  private func stops() -> [Finding] {
    facts.history.lastEvents.values.joined().sorted().compactMap { name in
      guard let event = facts.lookup[name], event.kind == .log,
        RecursionMessage.parts(of: event.payload.text) != nil
      else { return nil }
      var finding = Finding(.recursion)
      finding.stream = event.stream
      finding.count = 1
      finding.weight = 95
      finding.evidence = [name] + event.causes.filter(facts.lookup.holds)
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
    facts.history.hops.recursions.chains.compactMap { chain in
      let nanoseconds = facts.time.duration(from: chain.first.ticks, to: chain.last.ticks)
      guard chain.segments >= Self.fewestSegments, nanoseconds / chain.hops <= Self.longestPause,
        !isOfStream(chain.last.name)
      else { return nil }
      var finding = Finding(
        .recursion, weight: 50, place: place(chain.last.name),
        """
        work on \(scheduler: chain.scheduler) schedules itself over and over: \
        \(chain.hops, "piece", "pieces"), each scheduled by the one before, in \
        \(nanoseconds: nanoseconds); backtraces show the last ones
        """, evidence: [chain.last.name, chain.first.name],
        question: .backtrace(chain.last.name))
      finding.scheduler = chain.scheduler
      finding.count = chain.hops
      finding.nanoseconds = nanoseconds
      return finding
    }
  }

  /// Returns whether a stream's delivery scheduled the work: then the loop, if it is one, leads
  /// through streams.
  private func isOfStream(_ scheduled: EventName) -> Bool {
    let cause = facts.lookup[scheduled]?.causes.first
    return cause.flatMap { facts.lookup[$0] }.map { !$0.isHop } ?? false
  }

  private func place(_ scheduled: EventName) -> FindingPlace? {
    guard let event = facts.lookup[scheduled], event.payload.kind == .cause else { return nil }
    let stack = HopPayload(word: event.payload.word).stack
    return stack == 0 ? nil : .stack(stack)
  }
}

extension TraceTime {
  /// Returns the time from one tick to another, in nanoseconds; 0 when the second is not later.
  func duration(from first: UInt64, to last: UInt64) -> UInt64 {
    UInt64(max(nanoseconds(sinceStart: last) - nanoseconds(sinceStart: first), 0))
  }
}
