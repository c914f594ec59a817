internal import VarveFormat
internal import VarveProbe

/// Finds properties that code reads right after it has set off a change of theirs, before the work
/// that makes the change has run.
struct EarlyReads: FindingRule {
  /// A read of a property.
  private struct Read {
    var name: EventName
    var ticks: UInt64
    var stack: UInt32
  }

  /// A change of a property, the value before it, and the reads in between.
  private struct Change {
    var name: EventName
    var old: EventName?
    var reads: [Read]
  }

  /// What is known of a property while the events pass.
  private struct Reading {
    var old: EventName?
    var reads: [Read] = []
    var changes: [Change] = []

    mutating func note(_ read: Read) {
      if reads.count == EarlyReads.mostKept { reads.removeFirst() }
      reads.append(read)
    }

    mutating func note(change name: EventName) {
      if !reads.isEmpty {
        if changes.count == EarlyReads.mostKept { changes.removeFirst() }
        changes.append(Change(name: name, old: old, reads: reads))
        reads.removeAll()
      }
      old = name
    }
  }

  private let facts: FindingFacts
  private var properties: [UInt32: Reading] = [:]
  /// The streams that code can write to.
  private let roots: Set<UInt32>

  /// The maximum number of reads kept before a change, and of changes of a property, the last ones …
  private static let mostKept = 32
  /// … and the number of properties.
  private static let mostProperties = 1_024
  /// The maximum number of records of a thread between the scheduling and the read …
  private static let farthest: UInt64 = 64
  /// … and the longest time, in nanoseconds: both belong to one stretch of code.
  private static let longest: UInt64 = 10_000_000
  /// The maximum number of events followed from a change back to what set it off.
  private static let mostSteps = 64

  init?(_ facts: FindingFacts) {
    self.facts = facts
    roots = Set(
      facts.definitions.streams.values.lazy.filter { $0.traits?.contains(.replays) == true }
        .map(\.id))
    if roots.isEmpty { return nil }
  }

  var kinds: Set<RecordKind> { [.value, .read] }
  var streams: Set<UInt32>? { roots }

  mutating func note(_ event: FindingEvent) {
    guard properties[event.stream] != nil || properties.count < Self.mostProperties else { return }
    guard event.kind != .value else {
      properties[event.stream, default: Reading()].note(change: event.name)
      return
    }
    let stack = HopPayload(word: event.word).stack
    guard event.isOfValue, stack != 0 else { return }
    let read = Read(name: event.name, ticks: event.ticks, stack: stack)
    properties[event.stream, default: Reading()].note(read)
  }

  mutating func findings() -> [Finding] {
    properties.sorted { $0.key < $1.key }.compactMap { property, known in
      let early = known.changes.compactMap { change in scheduling(of: change).map { (change, $0) } }
      guard let (change, (read, scheduled)) = early.last else { return nil }
      return finding(property, early.count, change, read, scheduled)
    }
  }

  /// Returns the read that came too early, and the scheduling of the work that it did not wait for;
  /// nil if there was none, or if the change changed nothing.
  private func scheduling(of change: Change) -> (read: Read, scheduled: TraceEvent)? {
    let old = change.old.flatMap { facts.lookup[$0]?.payload }
    guard old == nil || old != facts.lookup[change.name]?.payload else { return nil }
    let way = facts.lookup.way(to: change.name, most: Self.mostSteps)
    let given = way.indices.filter { index in
      way[index].kind == .hopScheduled && !isOfTimer(way[..<index])
        && !isWaitedFor(way, since: index)
    }
    for read in change.reads.reversed() {
      let before = given.first { index in
        let (event, began) = (way[index], way[max(index - 1, 0)])
        // The work may read what it is to change.
        return event.ring == read.name.ring && event.name.sequence < read.name.sequence
          && began.ticks > read.ticks
          && read.name.sequence - event.name.sequence <= Self.farthest
          && facts.time.duration(from: event.ticks, to: read.ticks) <= Self.longest
      }
      if let before { return (read, way[before]) }
    }
    return nil
  }

  /// Returns whether work delivered a tick of a timer, given what followed from it: no code waits for
  /// that.
  private func isOfTimer(_ effects: ArraySlice<TraceEvent>) -> Bool {
    guard let value = effects.last(where: { $0.kind == .value }) else { return false }
    return facts.isTimer(value.stream)
  }

  /// Returns whether a task that set work off, or that was the work, came to the change itself, when it ran
  /// again: what it read before belongs to the time before. `way` leads back from the change, and the work
  /// was given at `index`, so that the event before that is its beginning.
  private func isWaitedFor(_ way: [TraceEvent], since index: Int) -> Bool {
    let begun = max(index - 1, 0)
    let tasks = Set(way[begun...].compactMap(\.runTask))
    return !tasks.isEmpty && way[..<begun].contains { $0.runTask.map(tasks.contains) ?? false }
  }

  private func finding(
    _ property: UInt32, _ count: Int, _ change: Change, _ read: Read, _ scheduled: TraceEvent
  ) -> Finding {
    let late = facts.lookup[change.name].map {
      facts.time.duration(from: read.ticks, to: $0.ticks)
    }
    let times: FindingSentence = count == 1 ? "once" : "\(count, "time", "times")"
    var finding = Finding(
      .early, weight: 80, place: .stack(read.stack),
      """
      \(stream: property) is read before a change that was already on its way, \
      \(times): the work for it was given to \(scheduler: scheduled.stream) just before \
      (#\(scheduled.name.description)), and \(value: change.name) came \
      \(nanoseconds: late ?? 0) after the read
      """, stream: property, evidence: [change.name, read.name, scheduled.name])
    finding.scheduler = scheduled.stream
    finding.count = UInt64(count)
    finding.nanoseconds = late ?? 0
    return finding
  }
}
