public import VarveFormat
internal import VarveProbe

/// The line of the program to look at when it died or hangs: where the signal struck, where a thread
/// waits, or where the thread that does not go on was seen last.
public struct LastPlace: Sendable {
  /// The code.
  public var frame: OwnFrame
  /// The ring of the thread; nil if the thread has recorded nothing.
  public var ring: UInt32?
  /// The last event that this code recorded; nil if it is where a signal struck.
  public var event: EventName?
  /// Whether the thread crashed there, rather than waits or works.
  public private(set) var isCrash = false

  /// Finds the line in a trace whose program crashed, was killed, or is still running; nil if it
  /// ended otherwise, or no line is known.
  public init?(
    _ reader: TraceReader, _ history: TraceHistory, lookup: EventLookup, symbols: Symbolizer
  ) {
    switch reader.ending {
    case .clean: return nil
    case .crashed(_, let ring, _) where !reader.ending.isKill:
      let struck = TraceBacktraces(reader).struckStack
      symbols.lookUpOwn(struck)
      if let frame = symbols.ownFrame(of: struck) {
        self.init(frame: frame, ring: ring)
        isCrash = true
        return
      }
      guard let ring, let stack = Self.observer(of: ring, history, lookup, reader.definitions)
      else { return nil }
      symbols.lookUpOwn(stack.frames)
      guard let frame = symbols.ownFrame(of: stack.frames) else { return nil }
      self.init(frame: frame, ring: ring, event: history.lastEvents[ring]?.last)
      isCrash = true
    case .crashed, .killed, .running:
      let suspects = Self.suspects(history)
      let definitions = reader.definitions
      let waiting = suspects.lazy.compactMap { ring -> LastPlace? in
        let wait = Self.wait(of: ring, history, lookup)
        return Self.place(of: wait.map { [$0] } ?? [], ring, definitions, symbols)
      }
      let seen = suspects.lazy.compactMap { ring in
        Self.place(of: Self.last(of: ring, history, lookup), ring, definitions, symbols)
      }
      guard let found = waiting.first ?? seen.first else { return nil }
      self = found
    }
  }

  private init(frame: OwnFrame, ring: UInt32?, event: EventName? = nil) {
    (self.frame, self.ring, self.event) = (frame, ring, event)
  }

  /// Returns the stack of the code that attached the observer outside all streams to which a thread
  /// delivered a value last: if the stack of the crash tells nothing, it struck in there.
  private static func observer(
    of ring: UInt32, _ history: TraceHistory, _ lookup: EventLookup, _ definitions: TraceDefinitions
  ) -> StackDefinition? {
    guard let last = history.lastEvents[ring]?.last.flatMap({ lookup[$0] }), last.kind == .value,
      let open = history.subscriptions.open.filter({
        $0.from == last.stream && $0.to == 0 && $0.began.ticks <= last.ticks
      }).max(by: { $0.edge < $1.edge }), let began = lookup[open.began.name],
      began.kind == .subscribed
    else { return nil }
    return definitions.stacks[SubscriptionPayload(word: began.payload.word).stack]
  }

  /// Returns the rings of threads, those first that are likeliest to hang: those within work that has
  /// not returned, then in the order in which they began to record.
  private static func suspects(_ history: TraceHistory) -> [UInt32] {
    let working = history.hops.running.reversed().map(\.began.ring)
    var known: Set<UInt32> = []
    return (working + history.lastEvents.keys.sorted()).filter { known.insert($0).inserted }
  }

  /// Returns the event with which a thread began to wait; nil if it does not wait.
  private static func wait(
    of ring: UInt32, _ history: TraceHistory, _ lookup: EventLookup
  ) -> TraceEvent? {
    var ended = 0
    for event in (history.lastEvents[ring] ?? []).reversed().lazy.compactMap({ lookup[$0] }) {
      if event.kind == .waitEnded { ended += 1 }
      guard event.kind == .waitBegan else { continue }
      if ended == 0 { return event }
      ended -= 1
    }
    return nil
  }

  /// Returns the last events of a thread that may have a stack, the most telling first: where it began
  /// to observe something, as code that waits does, then where it scheduled work.
  private static func last(
    of ring: UInt32, _ history: TraceHistory, _ lookup: EventLookup
  ) -> [TraceEvent] {
    let events = (history.lastEvents[ring] ?? []).reversed().compactMap { lookup[$0] }
    let observing = events.filter { event in
      event.kind == .subscribed && SubscriptionPayload(word: event.payload.word).stream == 0
    }
    return observing + events
  }

  /// Returns the line of the first event that has one.
  private static func place(
    of events: [TraceEvent], _ ring: UInt32, _ definitions: TraceDefinitions, _ symbols: Symbolizer
  ) -> LastPlace? {
    for event in events {
      guard let stack = definitions.stacks[stack(of: event)] else { continue }
      symbols.lookUpOwn(stack.frames)
      guard let frame = symbols.ownFrame(of: stack.frames) else { continue }
      return LastPlace(frame: frame, ring: ring, event: event.name)
    }
    return nil
  }

  private static func stack(of event: TraceEvent) -> UInt32 {
    switch event.kind {
    case .waitBegan: ReasonPayload(word: event.payload.word).stack
    case .subscribed: SubscriptionPayload(word: event.payload.word).stack
    case .hopScheduled where event.payload.kind == .cause:
      HopPayload(word: event.payload.word).stack
    default: 0
    }
  }
}
