internal import VarveProbe

/// A pattern for stream names, such as `search*` or `/^search\.[a-z]+$/`.
///
/// Derived names are full of brackets and parentheses, as in `search.take(first: 3).filter(_:)`. In
/// a glob, therefore, every character except `*` (any text) and `?` (any one character) stands for
/// itself. A glob must match the whole name; a regular expression, written between slashes, any
/// part of it.
public struct NamePattern {
  private enum Form {
    case glob(NameGlob)
    case expression(Regex<AnyRegexOutput>)
  }

  /// The pattern as it was written.
  public let text: String
  private let form: Form
  private let ignoresCase: Bool
  /// The same glob for texts of ASCII characters, if it is one itself.
  let ascii: ASCIIGlob?

  /// Reads a pattern.
  ///
  /// - Throws: a `SelectionError` whenever the text between two slashes is not a regular
  ///   expression.
  public init(_ text: String, ignoresCase: Bool = false) throws(SelectionError) {
    self.text = text
    self.ignoresCase = ignoresCase
    if text.count > 2, text.hasPrefix("/"), text.hasSuffix("/") {
      form = .expression(try Self.expression(text, ignoresCase: ignoresCase))
      ascii = nil
    } else {
      form = .glob(NameGlob(ignoresCase ? text.lowercased() : text))
      ascii = ignoresCase ? nil : ASCIIGlob(text)
    }
  }

  /// Returns whether the pattern matches a name.
  public func matches(_ name: String) -> Bool {
    switch form {
    case .expression(let expression):
      return (try? expression.firstMatch(in: name)) != nil
    case .glob(let glob):
      return glob.matches(ignoresCase ? name.lowercased() : name)
    }
  }

  /// The name that the pattern spells out; nil when it has a wildcard.
  var literal: String? {
    guard case .glob = form, !text.contains("*"), !text.contains("?") else { return nil }
    return text
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
}
