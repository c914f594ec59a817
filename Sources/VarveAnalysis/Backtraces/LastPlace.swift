public import VarveFormat
internal import VarveProbe

/// The line of the program to look at when it died or hangs: where the signal struck, or where the
/// thread that does not go on was seen last.
public struct LastPlace: Sendable {
  /// The code.
  public var frame: OwnFrame
  /// The ring of the thread; nil if the thread has recorded nothing.
  public var ring: UInt32?
  /// The last event that this code recorded; nil if it is where a signal struck.
  public var event: EventName?

  /// Finds the line in a trace whose program crashed, was killed, or is still running; nil if it
  /// ended otherwise, or no line is known.
  public init?(
    _ reader: TraceReader, _ history: TraceHistory, lookup: EventLookup, symbols: Symbolizer
  ) {
    switch reader.ending {
    case .clean: return nil
    case .crashed(_, let ring, _):
      let struck = TraceBacktraces(reader).struckStack
      symbols.lookUpOwn(struck)
      guard let frame = symbols.ownFrame(of: struck) else { return nil }
      self.init(frame: frame, ring: ring)
    case .killed, .running:
      let found = Self.suspects(history).lazy.compactMap { ring in
        Self.last(of: ring, in: reader.definitions, history, lookup, symbols)
      }
      guard let first = found.first else { return nil }
      self = first
    }
  }

  private init(frame: OwnFrame, ring: UInt32?, event: EventName? = nil) {
    (self.frame, self.ring, self.event) = (frame, ring, event)
  }

  /// Returns the rings of threads that may hang: those within work that has not returned, then the
  /// one that began to record first, which is the main thread.
  private static func suspects(_ history: TraceHistory) -> [UInt32] {
    let working = history.hops.running.reversed().map(\.began.ring)
    let first = history.lastEvents.keys.min()
    var known: Set<UInt32> = []
    return (working + (first.map { [$0] } ?? [])).filter { known.insert($0).inserted }
  }

  /// Returns the last line of a thread: where it began to observe something, as code that waits
  /// does, or else where it scheduled work.
  private static func last(
    of ring: UInt32, in definitions: TraceDefinitions, _ history: TraceHistory,
    _ lookup: EventLookup, _ symbols: Symbolizer
  ) -> LastPlace? {
    let events = (history.lastEvents[ring] ?? []).reversed().compactMap { lookup[$0] }
    let observing = events.filter { event in
      event.kind == .subscribed && SubscriptionPayload(word: event.payload.word).stream == 0
    }
    for event in observing + events {
      guard let stack = definitions.stacks[stack(of: event)] else { continue }
      symbols.lookUpOwn(stack.frames)
      guard let frame = symbols.ownFrame(of: stack.frames) else { continue }
      return LastPlace(frame: frame, ring: ring, event: event.name)
    }
    return nil
  }

  private static func stack(of event: TraceEvent) -> UInt32 {
    switch event.kind {
    case .subscribed: SubscriptionPayload(word: event.payload.word).stack
    case .hopScheduled where event.payload.kind == .cause:
      HopPayload(word: event.payload.word).stack
    default: 0
    }
  }
}
