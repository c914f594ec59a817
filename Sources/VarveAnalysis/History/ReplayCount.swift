internal import VarveFormat
internal import VarveProbe

/// Counts what a stream that replays repeats to each observer that comes late.
struct ReplayCount {
  /// What one observer got.
  struct Replay {
    /// The beginning of the observation.
    let event: EventName
    /// What observes; 0 for an observer outside all streams.
    let to: UInt32
    /// How many values had been delivered before.
    let values: UInt64
    /// How many of these were repeated.
    fileprivate(set) var replayed: UInt64 = 0
  }

  /// The streams of which it has to be told: the stream, what stands for it, and its source.
  let streams: [UInt32]
  /// The observation that began last, until the next value comes on its thread: meanwhile, others go on,
  /// which count for nothing.
  private(set) var last: Replay?

  private let stream: UInt32
  /// The stream whose values it repeats, which is itself for a subject.
  private let source: UInt32
  /// The number of values that it has delivered to those who observed it in time.
  private var values: UInt64 = 0
  /// The thread on which the source has sent a value that it has not delivered yet.
  private var due: UInt32?

  /// Begins to count for a stream; nil if that is a property, of which only the last value counts.
  init?(of stream: UInt32, _ links: StreamLinks) {
    guard !links.isProperty(stream) else { return nil }
    self.stream = stream
    source = links.inputs(of: stream).first.map(links.root) ?? stream
    streams =
      links.made(from: stream).filter { links.traits($0).contains(.standsIn) } + [stream, source]
  }

  /// Takes in an event of one of the streams; returns what an observer has got if that is complete now.
  mutating func note(
    _ kind: RecordKind, of stream: UInt32, _ event: EventName, word: UInt64
  ) -> Replay? {
    let isSource = stream == source
    var done: Replay?
    switch kind {
    case .value where isSource:
      if event.ring == last?.event.ring { (done, last) = (last, nil) }
      if stream == self.stream { values += 1 } else { due = event.ring }
    case .value where due == event.ring:
      due = nil
      values += 1
    case .value where event.ring == last?.event.ring:
      last?.replayed += 1
    case .subscribed where !isSource || stream == self.stream:
      let to = SubscriptionPayload(word: word).stream
      if last?.replayed == 0, to == 0 { return nil }
      done = last
      last = Replay(event: event, to: to, values: values)
    default: return nil
    }
    return done
  }
}

extension StreamLinks {
  /// Returns the stream that another one stands for.
  func root(_ stream: UInt32) -> UInt32 {
    guard traits(stream).contains(.standsIn), let source = inputs(of: stream).first else {
      return stream
    }
    return source
  }
}
