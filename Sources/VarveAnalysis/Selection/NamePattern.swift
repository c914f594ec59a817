/// Which streams somebody means by `search*` or `/^search\.[a-z]+$/`.
///
/// Derived names are full of brackets and parentheses, `search.take(first: 3).filter(_:)`, so in a
/// glob every character but `*` (any text) and `?` (any one character) stands for itself. A glob
/// must match the whole name; a regular expression, written between slashes, some part of it.
public struct NamePattern {
  private enum Token: Equatable {
    case character(Character)
    case anyCharacter
    case anyText
  }

  private enum Form {
    case glob([Token])
    case expression(Regex<AnyRegexOutput>)
  }

  /// The pattern as it was written.
  public let text: String
  private let form: Form
  private let ignoresCase: Bool

  /// Reads a pattern.
  ///
  /// - Throws: a `SelectionError` whenever the text between two slashes is no regular expression.
  public init(_ text: String, ignoresCase: Bool = false) throws(SelectionError) {
    self.text = text
    self.ignoresCase = ignoresCase
    if text.count > 2, text.hasPrefix("/"), text.hasSuffix("/") {
      form = .expression(try Self.expression(text, ignoresCase: ignoresCase))
    } else {
      form = .glob(Self.tokens(ignoresCase ? text.lowercased() : text))
    }
  }

  /// Whether the pattern means a stream of this name.
  public func matches(_ name: String) -> Bool {
    switch form {
    case .expression(let expression):
      return (try? expression.firstMatch(in: name)) != nil
    case .glob(let tokens):
      return Self.matches(tokens, Array(ignoresCase ? name.lowercased() : name))
    }
  }

  /// The name that the pattern spells out, when it has no wildcard.
  var literal: String? {
    guard case .glob(let tokens) = form else { return nil }
    return tokens.allSatisfy { $0 != .anyText && $0 != .anyCharacter } ? text : nil
  }

  private static func expression(
    _ text: String, ignoresCase: Bool
  ) throws(SelectionError) -> Regex<AnyRegexOutput> {
    do {
      return try Regex(String(text.dropFirst().dropLast())).ignoresCase(ignoresCase)
    } catch {
      throw SelectionError(
        "\(text) is not a regular expression: \(error); leave the slashes out for a plain pattern")
    }
  }

  private static func tokens(_ text: String) -> [Token] {
    var tokens: [Token] = []
    for character in text {
      switch character {
      case "*": if tokens.last != .anyText { tokens.append(.anyText) }
      case "?": tokens.append(.anyCharacter)
      default: tokens.append(.character(character))
      }
    }
    return tokens
  }

  /// Takes the shortest text for each `*` and comes back to the last one when it does not work out:
  /// at most the product of both lengths in steps, whatever the pattern.
  private static func matches(_ tokens: [Token], _ name: [Character]) -> Bool {
    var token = 0
    var position = 0
    var retry: (token: Int, position: Int)?
    while position < name.count {
      if token < tokens.count, tokens[token] == .anyText {
        retry = (token, position)
        token += 1
      } else if token < tokens.count, accepts(tokens[token], name[position]) {
        token += 1
        position += 1
      } else if let last = retry {
        retry = (last.token, last.position + 1)
        token = last.token + 1
        position = last.position + 1
      } else {
        return false
      }
    }
    return tokens[token...].allSatisfy { $0 == .anyText }
  }

  private static func accepts(_ token: Token, _ character: Character) -> Bool {
    switch token {
    case .character(let wanted): wanted == character
    case .anyCharacter: true
    case .anyText: false
    }
  }
}
