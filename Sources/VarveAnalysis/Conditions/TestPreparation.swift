internal import VarveFormat
internal import VarveProbe

/// Looks up what a condition refers to.
struct TestPreparation<Source: EventSource> {
  private let source: Source
  private let names: ThreadNames
  /// What was passed over because it would have taken too much memory.
  private(set) var passedOver = PassedOver()

  init(_ source: Source) {
    self.source = source
    names = ThreadNames(source.definitions.threads, pid: source.pid)
  }

  mutating func test(_ term: Condition.Term) throws(SelectionError) -> PreparedTest {
    switch term {
    case .both(let one, let other): return .both(try test(one), try test(other))
    case .either(let one, let other): return .either(try test(one), try test(other))
    case .not(let other): return .not(try test(other))
    case .truncated: return .truncated
    case .comparison(let field, let comparison, let literal):
      return try test(field, comparison, literal)
    }
  }

  private mutating func test(
    _ field: Condition.Field, _ comparison: Condition.Comparison, _ literal: Condition.Literal
  ) throws(SelectionError) -> PreparedTest {
    let text = Self.text(literal)
    let pattern = comparison == .matches ? try NamePattern(text) : nil
    switch field {
    case .value:
      return .value(ValueTest(comparison: comparison, literal: literal, pattern: pattern))
    case .reason:
      return .reason(ReasonTest(comparison: comparison, wanted: text, pattern: pattern))
    case .time:
      guard case .moment(let moment) = literal else {
        return .time(comparison, Self.number(literal))
      }
      return .time(comparison, try TraceSpan(of: source).nanoseconds(at: moment, in: source))
    case .step: return .step(comparison, Self.number(literal))
    case .subscription: return .subscription(comparison, Self.number(literal))
    case .event:
      guard let event = EventName(text) else { return .truncated }
      return comparison == .unequal ? .not(.event(event)) : .event(event)
    case .kind, .thread, .name, .operator, .place, .stream, .scheduler: break
    }
    let isWanted: (String) -> Bool = { pattern?.matches($0) ?? ($0 == text) }
    let test = try named(field, text, pattern, isWanted)
    return comparison == .unequal ? .not(test) : test
  }

  /// Prepares a test that a name passes.
  private mutating func named(
    _ field: Condition.Field, _ text: String, _ pattern: NamePattern?,
    _ isWanted: @escaping (String) -> Bool
  ) throws(SelectionError) -> PreparedTest {
    switch field {
    case .kind:
      guard pattern == nil else {
        return .kinds(KindTest { isWanted(RecordKind.name(of: $0)) })
      }
      return .kinds(KindTest(try KindSelection(names: text)))
    case .thread: return .rings(rings(isWanted))
    case .name:
      let schedulers = source.definitions.schedulers.values.lazy.filter { isWanted($0.name) }
      return .streams(StreamTest(streams { isWanted($0.name) }, schedulers: schedulers.map(\.id)))
    case .operator:
      // What the user asks for by its name.
      let labels = source.definitions.streams.mapValues(\.operation)
      return .streams(StreamTest(labels.keys.filter { isWanted(labels[$0] ?? "") }, schedulers: []))
    case .place:
      let wanted = streams { stream in
        guard let place = stream.place else { return isWanted("") }
        return isWanted(place.description) || isWanted("\(place.file):\(place.line)")
      }
      return .streams(StreamTest(wanted, schedulers: []))
    case .stream:
      return .streams(StreamTest(UInt32(text).map { [$0] } ?? [], schedulers: []))
    case .scheduler:
      let stretches = try SchedulerStretches(isWanted, in: source)
      passedOver = passedOver.merged(stretches.passedOver)
      return .work(stretches)
    case .value, .reason, .time, .step, .subscription, .event: return .truncated
    }
  }

  private func streams(_ isWanted: (StreamDefinition) -> Bool) -> [UInt32] {
    source.definitions.streams.values.filter(isWanted).map(\.id)
  }

  private func rings(_ isWanted: (String) -> Bool) -> Set<UInt32> {
    let all = Set(source.definitions.threads.keys).union(source.blocks.map(\.ring))
    return all.filter { ring in
      let thread = source.definitions.threads[ring]
      let called = thread.map { names.all(of: $0) } ?? [names[ring], EventName.thread(ring)]
      return called.contains(where: isWanted)
    }
  }

  private static func text(_ literal: Condition.Literal) -> String {
    switch literal {
    case .text(let text): text
    case .integer(let number): String(number)
    case .number, .boolean, .null, .duration, .moment: ""
    }
  }

  private static func number(_ literal: Condition.Literal) -> Int64 {
    switch literal {
    case .integer(let number), .duration(let number): number
    case .number, .text, .boolean, .null, .moment: 0
    }
  }
}
