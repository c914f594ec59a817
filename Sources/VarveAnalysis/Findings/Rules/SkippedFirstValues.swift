internal import VarveFormat
internal import VarveProbe

/// Finds joins that wait for a change of a property, although the property has a value: they
/// observe its changes alone, and deliver nothing until the first one.
struct SkippedFirstValues: FindingRule {
  private let facts: FindingFacts
  /// For each join, the properties whose changes it observes.
  private var waiting: [UInt32: [UInt32]] = [:]
  /// For each property, the stacks of the code that took the signal of its changes, in order.
  private var takers: [UInt32: [UInt32]] = [:]
  /// The first value of each stream that matters.
  private let first: [UInt32: UInt64]

  init?(_ facts: FindingFacts) {
    self.facts = facts
    var first: [UInt32: UInt64] = [:]
    for (id, stream) in facts.definitions.streams where Self.joins(stream) {
      guard facts.history.stream(id)?.subscriptions ?? 0 > 0 else { continue }
      let observed = facts.links.observed(by: id)
      let properties = stream.parents.filter { observed.contains($0) && facts.links.isProperty($0) }
      guard !properties.isEmpty, facts.walk.take(Self.bytes) else { continue }
      waiting[id] = properties
      for input in observed where facts.silence.delivered(from: input, to: id) > 0 {
        first[input] = facts.history.stream(input)?.firstValue?.ticks
      }
    }
    self.first = first
    if waiting.isEmpty { return nil }
    for property in Set(waiting.values.joined()) { takers[property] = [] }
  }

  var kinds: Set<RecordKind> { [.read] }
  var streams: Set<UInt32>? { Set(takers.keys) }

  /// The shortest wait that a person may notice, in nanoseconds: properties that are set one after
  /// the other are no problem.
  private static let shortestWait: UInt64 = 20_000_000
  /// The memory for a join, in bytes.
  private static let bytes = 256
  /// The maximum number of places kept at which the changes of a property were taken.
  private static let mostTakers = 32

  /// Returns whether a stream delivers the newest values of all inputs. A sampler, which
  /// delivers when one of them does, has another reason to absorb values.
  private static func joins(_ stream: StreamDefinition) -> Bool {
    stream.traits?.isSuperset(of: [.joins, .needsAllInputs]) == true
      && stream.absorbs == .gathered
  }

  mutating func note(_ event: FindingEvent) {
    guard !event.isOfValue, takers[event.stream]?.count ?? 0 < Self.mostTakers else { return }
    let stack = SubscriptionPayload(word: event.word).stack
    if stack != 0 { takers[event.stream]?.append(stack) }
  }

  mutating func findings() -> [Finding] {
    waiting.sorted { $0.key < $1.key }.compactMap { finding(of: $0.key, $0.value) }
  }

  private func finding(of join: UInt32, _ properties: [UInt32]) -> Finding? {
    guard let property = properties.max(by: { moment($0) < moment($1) }) else { return nil }
    let others = facts.links.inputs(of: join).filter { $0 != property }
    guard let came = others.map({ first[$0] ?? .max }).max(), came < moment(property),
      first[property] == nil || wait(from: came, for: property) >= Self.shortestWait
    else { return nil }
    let evidence = others.compactMap { facts.history.stream($0)?.firstValue?.name }
    let waited: FindingSentence
    if first[property] != nil {
      let time = wait(from: came, for: property)
      waited = "until it changed, \(nanoseconds: time) later"
    } else {
      waited = "because it never changed"
    }
    return Finding(
      .partial, weight: 80, place: taker(of: property, for: join) ?? .stream(join),
      "\(stream: join) observes the changes of \(stream: property) without the value that it had, "
        + "and delivered nothing when the other input did, " + waited,
      stream: join, evidence: evidence, question: .whySilent(join))
  }

  /// Returns the code that took the changes of a property for a join: the line in the function that
  /// is nearest to the join's making and led to both; of several, the last.
  private func taker(of property: UInt32, for join: UInt32) -> FindingPlace? {
    guard let making = facts.definitions.streams[join]?.stack,
      let maker = facts.definitions.stacks[making]?.frames
    else { return nil }
    var nearest: (stack: UInt32, position: Int, shared: Int)?
    for stack in takers[property] ?? [] {
      guard let frames = facts.definitions.stacks[stack]?.frames else { continue }
      let shared = zip(frames.reversed(), maker.reversed()).prefix { $0 == $1 }.count
      guard shared > 0, shared < frames.count, shared >= nearest?.shared ?? 0 else { continue }
      nearest = (stack, frames.count - shared - 1, shared)
    }
    return nearest.map { .frame($0.stack, position: $0.position) }
  }

  /// Returns when a property first changed, after all else if it never did.
  private func moment(_ property: UInt32) -> UInt64 { first[property] ?? .max }

  private func wait(from came: UInt64, for property: UInt32) -> UInt64 {
    facts.time.duration(from: came, to: moment(property))
  }
}
