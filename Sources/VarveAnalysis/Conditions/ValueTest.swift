internal import VarveFormat
internal import VarveProbe

/// A test of the value.
final class ValueTest {
  private let comparison: Condition.Comparison
  private let literal: Condition.Literal
  private let text: TextTest

  init(comparison: Condition.Comparison, literal: Condition.Literal, pattern: NamePattern?) {
    self.comparison = comparison
    self.literal = literal
    text = TextTest(comparison, literal, pattern)
  }

  /// Removes the events of a block whose values do not pass.
  func sift(_ rows: inout [UInt32], _ columns: ColumnPointers) {
    var known = TextMemo()
    // Looked at once and not for each event.
    let (text, glob) = (text, text.glob)
    rows.removeAll { row in
      let index = Int(row)
      guard let kind = PayloadKind(rawValue: columns.payloadKinds[index]) else { return true }
      switch kind {
      case .string, .description, .typeOnly:
        let bytes = columns.text(index)
        if let glob, let matches = glob.matches(bytes) { return !matches }
        return !text.holds(bytes, &known)
      case .integer, .unsigned, .real, .boolean, .null: return !holds(kind, columns.words[index])
      case .task, .awaited, .made:
        return !(kind.task(in: columns.words[index]).map { number(Int64(clamping: $0)) } ?? false)
      case .absent, .unit, .bytes, .withheld, .stream, .reason, .cause: return true
      }
    }
  }

  private func holds(_ kind: PayloadKind, _ word: UInt64) -> Bool {
    switch kind {
    case .integer: return number(Int64(bitPattern: word))
    case .unsigned:
      guard let small = Int64(exactly: word) else { return number(Double(word)) }
      return number(small)
    case .real: return number(Double(bitPattern: word))
    case .boolean: return comparison.holds(isSame: literal == .boolean(word != 0))
    default: return comparison.holds(isSame: literal == .null)
    }
  }

  private func number(_ value: Int64) -> Bool {
    if case .integer(let wanted) = literal { return comparison.holds(value, wanted) }
    return number(Double(value))
  }

  private func number(_ value: Double) -> Bool {
    switch literal {
    case .number(let wanted): comparison.holds(value, wanted)
    case .integer(let wanted): comparison.holds(value, Double(wanted))
    case .text, .boolean, .null, .duration, .moment: comparison == .unequal
    }
  }
}
