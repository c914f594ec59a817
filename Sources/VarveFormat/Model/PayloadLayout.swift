internal import VarveProbe

/// The layout of a payload, which follows from its kind.
///
/// Unknown kinds have a layout too, so that a newer recorder may add some: a word below 128, text
/// from 128 on.
package enum PayloadLayout {
  case none, word, text

  package init(_ kind: UInt8) {
    guard let known = PayloadKind(rawValue: kind) else {
      self = kind < 128 ? .word : .text
      return
    }
    switch known {
    case .absent, .unit, .null, .withheld: self = .none
    case .integer, .unsigned, .real, .boolean, .stream, .reason, .cause, .task, .awaited, .made:
      self = .word
    case .string, .bytes, .description, .typeOnly: self = .text
    }
  }
}
