internal import VarveFormat
internal import VarveProbe

/// A test of the value.
struct ValueTest {
  let comparison: Condition.Comparison
  let literal: Condition.Literal
  let pattern: NamePattern?

  func holds(_ columns: borrowing EventColumns, _ index: Int) -> Bool {
    let word = columns.words[index]
    guard let kind = PayloadKind(rawValue: columns.payloadKinds[index]) else { return false }
    switch kind {
    case .integer: return number(Int64(bitPattern: word))
    case .unsigned:
      guard let small = Int64(exactly: word) else { return number(Double(word)) }
      return number(small)
    case .real: return number(Double(bitPattern: word))
    case .boolean: return comparison.holds(isSame: literal == .boolean(word != 0))
    case .null: return comparison.holds(isSame: literal == .null)
    case .string, .description, .typeOnly: return text(columns.text(index))
    case .absent, .unit, .bytes, .withheld, .stream, .reason, .cause, .task, .awaited, .made:
      return false
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
    case .text, .boolean, .null, .duration: comparison == .unequal
    }
  }

  private func text(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard case .text(let wanted) = literal else { return comparison == .unequal }
    let value = String(decoding: bytes, as: UTF8.self)
    return pattern?.matches(value) ?? comparison.holds(value, wanted)
  }
}
