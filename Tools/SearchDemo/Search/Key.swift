public import Varve

/// A key on the keyboard.
public enum Key: Hashable, Sendable {
  /// A letter, a digit, a space.
  case character(Character)
  /// Takes the last character back.
  case backspace
  /// Empties the line.
  case clear

  /// The line after this key.
  package func typed(into text: String) -> String {
    switch self {
    case .character(let character): text + String(character)
    case .backspace: String(text.dropLast())
    case .clear: ""
    }
  }
}

extension Key: TraceValue {
  /// As the key is labelled.
  public var tracePayload: TracePayload {
    switch self {
    case .character(let character): .string(String(character))
    case .backspace: .string("⌫")
    case .clear: .string("⎋")
    }
  }
}
