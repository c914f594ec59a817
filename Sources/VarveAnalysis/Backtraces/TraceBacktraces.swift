public import VarveFormat
public import VarveProbe

/// The asynchronous backtraces of a trace.
public struct TraceBacktraces {
  private let reader: TraceReader
  /// Blocks that could not be read.
  public private(set) var damage: [TraceFileError] = []
  /// What was passed over because it would have taken too much memory.
  public private(set) var passedOver = PassedOver()

  /// Creates the backtraces of a trace.
  public init(_ reader: TraceReader) { self.reader = reader }

  /// Returns what each thread was doing when the trace ended, by ring. The thread that a signal
  /// interrupted comes first.
  ///
  /// - Parameter history: the trace's history, if there is one: most of the trace need then not be read
  ///   again.
  public mutating func lastMoments(_ history: TraceHistory? = nil) -> [ThreadMoment] {
    let states = HopStates(runningAtEndOf: reader, history: history)
    let crash = reader.ending.crash
    let struckStack = self.struckStack
    let rings = Set(states.last.keys).union(reader.definitions.threads.keys)
    let innermost = rings.compactMap { states.running[$0]?.last }
    var chains = HopChains(reader)
    let backtraces = chains.backtraces(of: innermost)
    damage += states.damage + chains.damage
    passedOver = passedOver + states.passedOver + chains.passedOver
    let struckFirst = rings.sorted { one, other in
      (one == crash.ring ? 0 : 1, one) < (other == crash.ring ? 0 : 1, other)
    }
    return struckFirst.map { ring in
      let running = states.running[ring] ?? []
      return ThreadMoment(
        ring: ring, lastEvent: states.last[ring]?.event, lastTick: states.last[ring]?.ticks,
        struck: ring == crash.ring ? struckStack : [], running: running,
        backtrace: running.last.flatMap { backtraces[$0] })
    }
  }

  /// The stack that a signal interrupted, innermost frame first; empty when there was no signal or
  /// its stack is unknown.
  public var struckStack: [StackFrame] {
    guard let counter = reader.ending.crash.programCounter else { return [] }
    let stack = reader.definitions.stacks[StackDefinition.struckID]?.frames ?? []
    // A stack from an earlier signal, which the program survived, does not belong to this one.
    return stack.first?.address == counter
      ? stack : [StackFrame(address: counter, isResumption: true)]
  }

  /// Returns the work waiting in schedulers' queues when the trace ended, oldest first.
  public mutating func queued() -> [TracedBacktrace] {
    let states = HopStates(atEndOf: reader)
    damage += states.damage
    passedOver = passedOver + states.passedOver
    return queued(states.queued)
  }

  /// Returns the work that never began according to a history of work, oldest first. The trace is read
  /// only for what scheduled it.
  public mutating func queued(in history: HopHistory) -> [TracedBacktrace] {
    queued(history.allQueued)
  }

  private mutating func queued(_ hops: [UInt64]) -> [TracedBacktrace] {
    var chains = HopChains(reader)
    let backtraces = chains.backtraces(of: hops)
    damage += chains.damage
    passedOver = passedOver + chains.passedOver
    return hops.compactMap { backtraces[$0] }
      .sorted { ($0.segments.first?.ticks ?? 0) < ($1.segments.first?.ticks ?? 0) }
  }

  /// Returns how an event came about: the work that its thread was running, and what scheduled that
  /// work. When the event schedules work, the event's own stack comes first. Nil when no block
  /// holds the event, or nothing is known of its cause.
  ///
  /// If code outside all streams made it happen, and the trace has the stack of that code, it comes
  /// first.
  public mutating func backtrace(of event: EventName) -> TracedBacktrace? {
    let work = work(of: event)
    guard let own = doing(of: event) else { return work }
    return TracedBacktrace(
      segments: [own] + (work?.segments ?? []), isCut: work?.isCut ?? false)
  }

  /// The maximum number of events followed back to what the program's code did.
  private static let mostSteps = 10_000

  /// Returns the stack of the code that sent, attached or ended what led to an event.
  private func doing(of name: EventName) -> TracedBacktrace.Segment? {
    let lookup = EventLookup(reader)
    guard var event = lookup[name], !event.isHop else { return nil }
    var stack: UInt64
    switch event.kind {
    case .subscribed, .ended: stack = event.payload.word >> 32
    case .taskCancelled, .taskFailureRead, .hopSampled:
      stack = UInt64(HopPayload(word: event.payload.word).stack)
    default: stack = 0
    }
    for _ in 0..<Self.mostSteps where stack == 0 {
      if let sender = lookup.sender(of: event.name) { stack = UInt64(sender) }
      guard stack == 0, let cause = event.causes.first, cause.ring == name.ring,
        let next = lookup[cause], !next.isHop
      else { break }
      event = next
    }
    guard let frames = reader.definitions.stacks[UInt32(truncatingIfNeeded: stack)]?.frames,
      stack != 0
    else { return nil }
    return TracedBacktrace.Segment(
      frames: frames, scheduler: nil, hop: 0, event: event.name, ring: event.ring,
      ticks: event.ticks, repeats: 0)
  }

  private mutating func work(of event: EventName) -> TracedBacktrace? {
    guard let block = reader.block(of: event), let index = reader.blocks[block].index(of: event)
    else { return nil }
    var columns = EventColumns()
    do throws(TraceFileError) {
      try reader.decode(block, into: &columns, columns: [.kinds, .subscriptions])
    } catch {
      damage.append(error)
      return nil
    }
    var chains = HopChains(reader)
    defer { damage += chains.damage }
    // A hop's own records belong to its path.
    switch RecordKind(rawValue: columns.kinds[index]) {
    case .hopScheduled, .hopBegan, .hopEnded, .hopCancelled, .hopSampled:
      return chains.backtrace(of: columns.subscriptions[index])
    default: break
    }
    let states = HopStates(before: event, in: reader)
    damage += states.damage
    passedOver = passedOver + states.passedOver
    guard let hop = states.running[event.ring]?.last else { return nil }
    return chains.backtrace(of: hop)
  }
}

extension TraceEnding {
  /// The thread that a signal interrupted, and where.
  fileprivate var crash: (ring: UInt32?, programCounter: UInt64?) {
    if case .crashed(_, let ring, let counter) = self { (ring, counter) } else { (nil, nil) }
  }
}
