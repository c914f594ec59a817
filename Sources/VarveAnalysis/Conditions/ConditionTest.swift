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
  private let clock: TraceTime

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
    clock = source.time
    steps = test.needsSteps ? StepTicks(source.blocks) : nil
  }

  /// Returns whether any event of a block may satisfy the condition.
  func mayMatch(_ block: BlockSummary) -> Bool { test.verdict(on: block, clock).mayHold }

  /// Removes the events of a block that do not satisfy the condition. It may be called on several
  /// threads.
  func sift(_ rows: inout [UInt32], _ columns: ColumnPointers) { sift(&rows, columns, test) }

  /// Each part of the condition is asked about all events together, so that what it compares with is
  /// looked at once.
  private func sift(_ rows: inout [UInt32], _ columns: ColumnPointers, _ test: PreparedTest) {
    guard !rows.isEmpty else { return }
    switch test {
    case .both(let one, let other):
      sift(&rows, columns, one)
      sift(&rows, columns, other)
    case .either(let one, let other):
      var rest = rows
      sift(&rows, columns, one)
      rest.removeAll(among: rows)
      sift(&rest, columns, other)
      rows = rest.isEmpty ? rows : (rows + rest).sorted()
    case .not(let other):
      var found = rows
      sift(&found, columns, other)
      rows.removeAll(among: found)
    case .kinds(let kinds):
      rows.removeAll { !kinds.contains(columns.kinds[Int($0)]) }
      guard let selection = kinds.selection else { return }
      rows.removeAll {
        !selection.contains(columns.kinds[Int($0)], reason: columns.words[Int($0)])
      }
    case .rings(let rings):
      if !rings.contains(columns.ring) { rows.removeAll() }
    case .streams(let streams):
      rows.removeAll {
        !streams.contain(columns.streams[Int($0)], kind: columns.kinds[Int($0)])
      }
    case .time(let comparison, let wanted):
      var clock = TickConverter(clock)
      rows.removeAll {
        !comparison.holds(clock.nanoseconds(sinceStart: columns.ticks[Int($0)]), wanted)
      }
    case .step(let comparison, let wanted):
      var clock = TickConverter(clock)
      rows.removeAll {
        guard let last = steps?.tick(before: Int($0), columns) else { return true }
        let now = clock.nanoseconds(sinceStart: columns.ticks[Int($0)])
        return !comparison.holds(now &- clock.nanoseconds(sinceStart: last), wanted)
      }
    case .subscription(let comparison, let wanted):
      rows.removeAll {
        let subscription = columns.subscriptions[Int($0)]
        return subscription == 0 || !comparison.holds(Int64(clamping: subscription), wanted)
      }
    case .work(let stretches): stretches.sift(&rows, columns)
    case .reason(let reason): rows.removeAll { !reason.holds(columns, Int($0)) }
    case .value(let value): value.sift(&rows, columns)
    case .event(let event): rows.removeAll { columns.name(Int($0)) != event }
    case .truncated: rows.removeAll { !Self.isTruncated(columns, Int($0)) }
    }
  }

  private static func isTruncated(_ columns: ColumnPointers, _ index: Int) -> Bool {
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
  func tick(before index: Int, _ columns: ColumnPointers) -> UInt64? {
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

extension [UInt32] {
  /// Removes those of some ascending numbers that are among others, which are ascending, too.
  fileprivate mutating func removeAll(among others: [UInt32]) {
    guard !others.isEmpty else { return }
    var next = 0
    removeAll { number in
      guard next < others.count, others[next] == number else { return false }
      next += 1
      return true
    }
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
