internal import VarveFormat
internal import VarveProbe

/// Finds producers whose side effects ran once for each of several streams that were made from them
/// in the same set-up: two labels that show one order, and two orders.
struct RepeatedStarts: FindingRule {
  /// A beginning of one of the streams made from a producer.
  private struct Start {
    var began: EventMoment
    var edge: UInt64
    /// The stream made from the producer; 0 for an observer outside all streams.
    var user: UInt32
    var stack: UInt32
  }

  private let facts: FindingFacts
  private var starts: [UInt32: [Start]] = [:]
  /// The last streams on the ways from producers to observers outside all streams.
  private var ends: [UInt32: UInt32] = [:]
  /// The first observations of these from outside.
  private var outside: [UInt32: [(edge: UInt64, ring: UInt32, stack: UInt32)]] = [:]

  /// Two of the runs that delivered events of a producer. The observers of the signal of one run
  /// (`startWithSignal`) share it.
  private var runs: [UInt32: Set<UInt64>] = [:]

  let kinds: Set<RecordKind> = [.subscribed, .value, .failed, .completed, .interrupted]
  var streams: Set<UInt32>? { Set(starts.keys).union(ends.values) }

  /// The longest time between starts that belong to one set-up, in nanoseconds.
  private static let longest: UInt64 = 50_000_000
  /// The maximum number of operators between a producer and its observer.
  private static let mostBetween = 32
  /// The maximum number of starts kept for a producer.
  private static let mostStarts = 8
  /// The memory for a producer, in bytes.
  private static let bytes = 512

  init?(_ facts: FindingFacts) {
    self.facts = facts
    for account in facts.history.streams where account.subscriptions > 1 {
      let stream = account.stream
      guard Self.isShared(stream, facts), facts.links.startsEffects(stream),
        facts.walk.take(Self.bytes)
      else { continue }
      starts[stream] = []
      for user in facts.links.made(from: stream) { ends[user] = Self.end(of: user, facts) }
    }
    if starts.isEmpty { return nil }
  }

  /// Returns whether a producer was started by streams made from it, or observers, of several kinds.
  /// The runs of an action are meant to be started again and again.
  private static func isShared(_ stream: UInt32, _ facts: FindingFacts) -> Bool {
    guard !facts.is(stream, .hot), !facts.is(stream, .replays), !facts.is(stream, .standsIn),
      !facts.links.isProperty(stream), facts.action(of: stream) == nil
    else { return false }
    let users = facts.links.made(from: stream).filter { user in
      facts.history.subscriptions.pair(StreamEdge(from: stream, to: user)) != nil
    }
    let outside = facts.links.outside(of: stream).reduce(0) { count, target in
      count + (facts.history.subscriptions.pair(StreamEdge(from: stream, to: target))?.count ?? 0)
    }
    return users.count + Int(min(outside, 2)) > 1
  }

  /// Returns the stream at the end of the operators that follow a stream.
  private static func end(of stream: UInt32, _ facts: FindingFacts) -> UInt32? {
    var stream = stream
    for _ in 0..<mostBetween {
      if !facts.links.outside(of: stream).isEmpty { return stream }
      let next = facts.links.made(from: stream).first { next in
        facts.history.subscriptions.pair(StreamEdge(from: stream, to: next)) != nil
      }
      guard let next else { return nil }
      stream = next
    }
    return nil
  }

  mutating func note(_ event: FindingEvent) {
    guard event.kind == .subscribed else { return noteDelivery(event) }
    let payload = SubscriptionPayload(word: event.word)
    let isOutside = facts.links.isOutside(payload.stream)
    if isOutside, outside[event.stream]?.count ?? 0 < Self.mostStarts {
      outside[event.stream, default: []].append(
        (event.subscription, event.name.ring, payload.stack))
    }
    guard let known = starts[event.stream], known.count < Self.mostStarts else { return }
    guard
      isOutside || facts.definitions.streams[payload.stream]?.parents == [event.stream]
    else { return }
    starts[event.stream]?.append(
      Start(
        began: event.moment, edge: event.subscription, user: isOutside ? 0 : payload.stream,
        stack: payload.stack))
  }

  private mutating func noteDelivery(_ event: FindingEvent) {
    guard starts[event.stream] != nil, runs[event.stream]?.count ?? 0 < 2 else { return }
    runs[event.stream, default: []].insert(event.subscription)
  }

  mutating func findings() -> [Finding] {
    var known: Set<StreamLikeness> = []
    return starts.sorted { $0.key < $1.key }.compactMap { stream, starts in
      guard let finding = finding(starts, of: stream),
        let definition = facts.definitions.streams[stream]
      else { return nil }
      return known.insert(StreamLikeness(definition)).inserted ? finding : nil
    }
  }

  private func finding(_ starts: [Start], of stream: UInt32) -> Finding? {
    let pairs = zip(starts, starts.dropFirst())
    guard runs[stream]?.count ?? 0 > 1,
      let (one, other) = pairs.first(where: { isOneSetUp($0, $1) })
    else { return nil }
    let first: FindingSentence = one.user == 0 ? "an observer" : "\(stream: one.user)"
    let second: FindingSentence = other.user == 0 ? "another one" : "\(stream: other.user)"
    return Finding(
      .restarted, weight: 80, place: place(other),
      "\(stream: stream) was started by " + first + " and again by " + second
        + ": its side effects ran for each of them",
      stream: stream, evidence: [other.began.name, one.began.name])
  }

  /// Returns the line that started a producer; where that is unknown, the line of the operator made
  /// from it.
  private func place(_ start: Start) -> FindingPlace {
    guard start.user != 0 else { return .stack(start.stack) }
    // A thread numbers observations from the observer to the producer.
    let started = ends[start.user].flatMap { outside[$0] }?.last {
      $0.edge < start.edge && $0.ring == start.began.ring
    }
    guard let started, started.stack != 0 else { return .stream(start.user) }
    return .stack(started.stack)
  }

  /// Returns whether two different streams were started by the same piece of code.
  private func isOneSetUp(_ one: Start, _ other: Start) -> Bool {
    guard one.began.ring == other.began.ring,
      one.user != other.user || one.user == 0 && one.stack != other.stack,
      facts.time.duration(from: one.began.ticks, to: other.began.ticks) <= Self.longest
    else { return false }
    return facts.lookup[one.began.name]?.causes == facts.lookup[other.began.name]?.causes
  }
}
