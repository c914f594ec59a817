internal import VarveFormat
internal import VarveProbe

/// Finds observations that end because the function in which they began lets go of what keeps them.
struct UnkeptObservations: FindingRule {
  /// An observation that has begun and not ended.
  private struct Begin: Sendable {
    var stack: UInt32
    var at: EventMoment
  }

  private struct Beginning: Hashable {
    var stream: UInt32
    var stack: UInt32
  }

  private struct Pair: Hashable {
    var stream: UInt32
    var begin: UInt32
    var end: UInt32
  }

  private struct Unkept {
    var began: EventName
    var ended: EventName
    var count: UInt64 = 1
  }

  private let facts: FindingFacts
  private var begun: WalkTable<UInt64, Begin>
  /// The observation that began last of each stream and stack: of one that is replaced by another, the new
  /// one begins before the old one ends, in the same line.
  private var latest: [Beginning: UInt64] = [:]
  private var found: [Pair: Unkept] = [:]

  let kinds: Set<RecordKind> = [.subscribed, .ended]

  /// The longest time between the two, in nanoseconds.
  private static let longest: UInt64 = 50_000_000
  private static let mostPairs = 256
  private static let mostStacks = 16_384

  init?(_ facts: FindingFacts) {
    guard facts.mayHave(.subscribed), !facts.definitions.stacks.isEmpty else { return nil }
    self.facts = facts
    begun = WalkTable(facts.walk, bytes: 64, of: .observations)
  }

  mutating func note(_ event: FindingEvent) {
    switch event.kind {
    case .subscribed:
      let payload = SubscriptionPayload(word: event.word)
      // Observed by the program's own code.
      let beginning = Beginning(stream: event.stream, stack: payload.stack)
      guard payload.stream == 0, payload.stack != 0,
        latest[beginning] != nil || latest.count < Self.mostStacks,
        begun.set(Begin(stack: payload.stack, at: event.moment), for: event.subscription)
      else { return }
      latest[beginning] = event.subscription
    case .ended:
      guard let begin = begun.removeValue(forKey: event.subscription),
        latest[Beginning(stream: event.stream, stack: begin.stack)] == event.subscription,
        begin.at.name.ring == event.name.ring
      else { return }
      let payload = ReasonPayload(word: event.word)
      guard payload.stack != 0, payload.reason == UInt32(EndReason.disposed.rawValue),
        facts.time.duration(from: begin.at.ticks, to: event.ticks) <= Self.longest
      else { return }
      let pair = Pair(stream: event.stream, begin: begin.stack, end: payload.stack)
      if found[pair] != nil {
        found[pair]?.count += 1
      } else if found.count < Self.mostPairs {
        found[pair] = Unkept(began: begin.at.name, ended: event.name)
      }
    default: return
    }
  }

  mutating func findings() -> [Finding] {
    guard !found.isEmpty else { return [] }
    let symbols = facts.symbols
    var places: Set<Place> = []
    return found.sorted { $0.value.began < $1.value.began }.compactMap { pair, unkept in
      guard let place = line(pair, symbols), places.insert(place).inserted else { return nil }
      return Finding(
        .partial, weight: 83, place: .line(place),
        "the observation of \(stream: pair.stream) that begins here ends in the same function, which lets go of what "
          + "keeps it",
        stream: pair.stream, evidence: [unkept.began, unkept.ended])
    }
  }

  /// Returns the line with which a function began an observation, if that ended when the same function
  /// released something.
  private func line(_ pair: Pair, _ symbols: Symbolizer) -> Place? {
    guard let begin = facts.definitions.stacks[pair.begin]?.frames,
      let end = facts.definitions.stacks[pair.end]?.frames
    else { return nil }
    symbols.lookUpOwn(begin + end)
    let ends = symbols.named(end)
    guard let position = ends.firstIndex(where: { !$0.isMachinery }),
      ends[..<position].contains(where: { $0.function?.contains("deinit") == true })
    else { return nil }
    let releasing = ends[position]
    let beginning = symbols.named(begin).first {
      $0.function == releasing.function && $0.file == releasing.file
    }
    guard let beginning, let file = beginning.file, beginning.line > 0 else { return nil }
    return Place(path: file, line: beginning.line)
  }
}
