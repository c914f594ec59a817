internal import VarveFormat
internal import VarveProbe

/// A condition prepared for one trace.
///
/// What refers to names is looked up once: per event, there are only numbers to compare. A block
/// whose summary shows that no event in it can satisfy the condition is not decoded.
final class ConditionTest {
  /// The columns that the test reads.
  let columns: ColumnSet
  private let test: PreparedTest
  private let steps: StepTicks?
  private var clock: TickConverter
  private let blockClock: TraceTime

  /// What was passed over because it would have taken too much memory.
  let passedOver: PassedOver

  /// Prepares a condition in two parts, of which the first reads no values; the second is only for
  /// events that satisfy the first.
  static func parts(
    of condition: Condition, in source: some EventSource
  ) throws(SelectionError) -> [ConditionTest] {
    var preparation = TestPreparation(source)
    var parts: [PreparedTest] = []
    var late: [PreparedTest] = []
    for term in condition.term.conjuncts {
      let test = try preparation.test(term)
      if test.columns.contains(.payloads) { late.append(test) } else { parts.append(test) }
    }
    return [parts, late].compactMap { tests in
      guard let first = tests.first else { return nil }
      let joined = tests.dropFirst().reduce(first) { .both($0, $1) }
      return ConditionTest(joined, source, preparation.passedOver)
    }
  }

  private init(_ test: PreparedTest, _ source: some EventSource, _ passedOver: PassedOver) {
    self.test = test
    self.passedOver = passedOver
    columns = test.columns
    clock = TickConverter(source.time)
    blockClock = source.time
    steps = test.needsSteps ? StepTicks(source.blocks) : nil
  }

  /// Returns whether any event of a block may satisfy the condition.
  func mayMatch(_ block: BlockSummary) -> Bool { test.verdict(on: block, blockClock).mayHold }

  /// Returns whether the event at an index satisfies the condition.
  func matches(_ columns: borrowing EventColumns, _ index: Int) -> Bool {
    matches(test, columns, index)
  }

  private func matches(
    _ test: PreparedTest, _ columns: borrowing EventColumns, _ index: Int
  ) -> Bool {
    switch test {
    case .both(let one, let other):
      return matches(one, columns, index) && matches(other, columns, index)
    case .either(let one, let other):
      return matches(one, columns, index) || matches(other, columns, index)
    case .not(let other): return !matches(other, columns, index)
    case .kinds(let kinds):
      let kind = columns.kinds[index]
      guard kinds.contains(kind) else { return false }
      return kinds.selection?.contains(kind, reason: columns.words[index]) ?? true
    case .rings(let rings): return rings.contains(columns.ring)
    case .streams(let streams):
      return streams.contain(columns.streams[index], kind: columns.kinds[index])
    case .time(let comparison, let wanted):
      return comparison.holds(clock.nanoseconds(sinceStart: columns.ticks[index]), wanted)
    case .step(let comparison, let wanted):
      guard let last = steps?.tick(before: index, columns) else { return false }
      let now = clock.nanoseconds(sinceStart: columns.ticks[index])
      return comparison.holds(now &- clock.nanoseconds(sinceStart: last), wanted)
    case .subscription(let comparison, let wanted):
      let subscription = columns.subscriptions[index]
      return subscription != 0 && comparison.holds(Int64(clamping: subscription), wanted)
    case .work(let stretches): return stretches.contain(columns, index)
    case .reason(let reason): return reason.holds(columns, index)
    case .value(let value): return value.holds(columns, index)
    case .truncated: return Self.isTruncated(columns, index)
    }
  }

  private static func isTruncated(_ columns: borrowing EventColumns, _ index: Int) -> Bool {
    switch PayloadKind(rawValue: columns.payloadKinds[index]) {
    case .string, .bytes, .description: columns.words[index] > UInt64(columns.text(index).count)
    case .absent, .unit, .null, .integer, .unsigned, .real, .boolean, .typeOnly, .withheld, .stream,
      .reason, .cause, .task, .awaited, .made, nil:
      false
    }
  }
}

/// The ticks at which blocks end, so that the step of the next block's first event is known without
/// decoding this one.
struct StepTicks {
  private var ends: [EventName: UInt64] = [:]

  init(_ blocks: [BlockSummary]) {
    for block in blocks { ends[block.name(block.count)] = block.ticks.upperBound }
  }

  /// Returns the tick of the event before on the same thread; nil if there is none, or it is lost.
  func tick(before index: Int, _ columns: borrowing EventColumns) -> UInt64? {
    if index > 0 { return columns.ticks[index - 1] }
    return ends[EventName(ring: columns.ring, sequence: columns.firstSequence)]
  }
}

extension EventColumns {
  /// The text of the event at an index.
  func text(_ index: Int) -> ArraySlice<UInt8> {
    let end = min(Int(textStarts[index + 1]), heap.count)
    return heap[min(Int(textStarts[index]), end)..<end]
  }
}

extension Condition.Term {
  /// The terms that must all hold.
  var conjuncts: [Condition.Term] {
    guard case .both(let one, let other) = self else { return [self] }
    return one.conjuncts + other.conjuncts
  }
}

extension Condition.Comparison {
  /// Compares values that have an order.
  func holds<Value: Comparable>(_ value: Value, _ wanted: Value) -> Bool {
    switch self {
    case .equal: value == wanted
    case .unequal: value != wanted
    case .less: value < wanted
    case .lessOrEqual: value <= wanted
    case .greater: value > wanted
    case .greaterOrEqual: value >= wanted
    case .matches: false
    }
  }

  /// Compares values that have no order.
  func holds(isSame: Bool) -> Bool {
    switch self {
    case .equal: isSame
    case .unequal: !isSame
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .matches: false
    }
  }
}
