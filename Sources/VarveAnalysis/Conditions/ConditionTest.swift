internal import VarveFormat
internal import VarveProbe

/// A condition prepared for one trace.
final class ConditionTest {
  /// The columns that the test reads.
  let columns: ColumnSet
  private let term: Condition.Term
  private let definitions: TraceDefinitions
  private let threads: [UInt32: [String]]
  private var clock: TickConverter
  private var patterns: [String: NamePattern] = [:]
  private var names: [String: [UInt32: Bool]] = [:]
  private var kinds: [String: KindSelection] = [:]

  init(_ condition: Condition, in source: some EventSource) {
    term = condition.term
    definitions = source.definitions
    clock = TickConverter(source.time)
    let threadNames = ThreadNames(source.definitions.threads, pid: source.pid)
    threads = Dictionary(
      uniqueKeysWithValues: source.definitions.threads.map { ring, thread in
        (ring, threadNames.all(of: thread))
      })
    columns = [.ticks, .kinds, .streams, .payloads]
  }

  /// Returns whether the event at an index satisfies the condition.
  func matches(_ columns: borrowing EventColumns, _ index: Int) -> Bool {
    matches(term, columns, index)
  }

  private func matches(
    _ term: Condition.Term, _ columns: borrowing EventColumns, _ index: Int
  ) -> Bool {
    switch term {
    case .both(let one, let other):
      return matches(one, columns, index) && matches(other, columns, index)
    case .either(let one, let other):
      return matches(one, columns, index) || matches(other, columns, index)
    case .not(let other): return !matches(other, columns, index)
    case .comparison(let field, let comparison, let literal):
      switch field {
      case .value: return value(columns, index, comparison, literal)
      case .time: return time(columns.ticks[index], comparison, literal)
      case .kind: return kind(columns, index, comparison, literal)
      case .thread: return thread(columns.ring, comparison, literal)
      case .name: return name(columns, index, comparison, literal)
      }
    }
  }

  // MARK: - Fields

  private func time(
    _ ticks: UInt64, _ comparison: Condition.Comparison, _ literal: Condition.Literal
  ) -> Bool {
    guard case .duration(let wanted) = literal else { return false }
    return Self.holds(clock.nanoseconds(sinceStart: ticks), comparison, wanted)
  }

  private func kind(
    _ columns: borrowing EventColumns, _ index: Int, _ comparison: Condition.Comparison,
    _ literal: Condition.Literal
  ) -> Bool {
    guard case .text(let wanted) = literal else { return false }
    let kind = columns.kinds[index]
    if comparison == .matches { return pattern(wanted)?.matches(RecordKind.name(of: kind)) == true }
    let selection: KindSelection
    if let known = kinds[wanted] {
      selection = known
    } else {
      selection = (try? KindSelection(names: wanted)) ?? KindSelection([])
      kinds[wanted] = selection
    }
    return selection.contains(kind, reason: columns.words[index]) == (comparison == .equal)
  }

  private func thread(
    _ ring: UInt32, _ comparison: Condition.Comparison, _ literal: Condition.Literal
  ) -> Bool {
    let wanted =
      switch literal {
      case .text(let text): text
      case .integer(let number): String(number)
      case .number, .boolean, .null, .duration: ""
      }
    let called = threads[ring] ?? ["ring \(ring)"]
    switch comparison {
    case .matches: return called.contains { pattern(wanted)?.matches($0) == true }
    case .unequal: return !called.contains(wanted)
    case .equal, .less, .lessOrEqual, .greater, .greaterOrEqual: return called.contains(wanted)
    }
  }

  private func name(
    _ columns: borrowing EventColumns, _ index: Int, _ comparison: Condition.Comparison,
    _ literal: Condition.Literal
  ) -> Bool {
    guard case .text(let wanted) = literal else { return false }
    let stream = columns.streams[index]
    let isHop = RecordKind(rawValue: columns.kinds[index])?.isHop ?? false
    let called =
      isHop ? definitions.schedulers[stream]?.name : definitions.streams[stream]?.name
    guard let called else { return comparison == .unequal }
    switch comparison {
    case .equal: return called == wanted
    case .unequal: return called != wanted
    case .matches, .less, .lessOrEqual, .greater, .greaterOrEqual:
      if isHop { return pattern(wanted)?.matches(called) == true }
      if let known = names[wanted]?[stream] { return known }
      let matches = pattern(wanted)?.matches(called) == true
      names[wanted, default: [:]][stream] = matches
      return matches
    }
  }

  private func pattern(_ text: String) -> NamePattern? {
    if let known = patterns[text] { return known }
    // The parser has checked that it is a valid pattern.
    let new = try? NamePattern(text)
    patterns[text] = new
    return new
  }

  // MARK: - Values

  private func value(
    _ columns: borrowing EventColumns, _ index: Int, _ comparison: Condition.Comparison,
    _ literal: Condition.Literal
  ) -> Bool {
    let word = columns.words[index]
    guard let kind = PayloadKind(rawValue: columns.payloadKinds[index]) else { return false }
    switch kind {
    case .integer: return number(Int64(bitPattern: word), comparison, literal)
    case .unsigned:
      guard let small = Int64(exactly: word) else {
        return number(Double(word), comparison, literal)
      }
      return number(small, comparison, literal)
    case .real: return number(Double(bitPattern: word), comparison, literal)
    case .boolean:
      return Self.isSame(literal == .boolean(word != 0), comparison)
    case .null: return Self.isSame(literal == .null, comparison)
    case .string, .description, .typeOnly: return text(columns, index, comparison, literal)
    case .absent, .unit, .bytes, .withheld, .stream, .reason, .cause: return false
    }
  }

  private func number(
    _ value: Int64, _ comparison: Condition.Comparison, _ literal: Condition.Literal
  ) -> Bool {
    if case .integer(let wanted) = literal { return Self.holds(value, comparison, wanted) }
    return number(Double(value), comparison, literal)
  }

  private func number(
    _ value: Double, _ comparison: Condition.Comparison, _ literal: Condition.Literal
  ) -> Bool {
    switch literal {
    case .number(let wanted): Self.holds(value, comparison, wanted)
    case .integer(let wanted): Self.holds(value, comparison, Double(wanted))
    case .text, .boolean, .null, .duration: comparison == .unequal
    }
  }

  private func text(
    _ columns: borrowing EventColumns, _ index: Int, _ comparison: Condition.Comparison,
    _ literal: Condition.Literal
  ) -> Bool {
    guard case .text(let wanted) = literal else { return comparison == .unequal }
    let end = min(Int(columns.textStarts[index + 1]), columns.heap.count)
    let start = min(Int(columns.textStarts[index]), end)
    let value = String(decoding: columns.heap[start..<end], as: UTF8.self)
    if comparison == .matches { return pattern(wanted)?.matches(value) == true }
    return Self.holds(value, comparison, wanted)
  }

  /// Compares values that have no order.
  private static func isSame(_ same: Bool, _ comparison: Condition.Comparison) -> Bool {
    switch comparison {
    case .equal: same
    case .unequal: !same
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .matches: false
    }
  }

  private static func holds<Value: Comparable>(
    _ value: Value, _ comparison: Condition.Comparison, _ wanted: Value
  ) -> Bool {
    switch comparison {
    case .equal: value == wanted
    case .unequal: value != wanted
    case .less: value < wanted
    case .lessOrEqual: value <= wanted
    case .greater: value > wanted
    case .greaterOrEqual: value >= wanted
    case .matches: false
    }
  }
}
