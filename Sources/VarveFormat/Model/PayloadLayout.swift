internal import VarveProbe

/// What follows from a payload's kind: how it is laid out.
///
/// Kinds that are not known here have a layout too, so that a newer recorder may add some: below
/// 128 they are a word, from 128 on text.
package enum PayloadLayout {
  case none, word, text

  package init(_ kind: UInt8) {
    guard let known = PayloadKind(rawValue: kind) else {
      self = kind < 128 ? .word : .text
      return
    }
    switch known {
    case .absent, .unit, .null, .withheld: self = .none
    case .integer, .unsigned, .real, .boolean, .stream, .reason, .cause: self = .word
    case .string, .bytes, .description, .typeOnly: self = .text
    }
  }
}
