/// A trace as the command line names it, for hints: each is a line that can be pasted into a shell.
public struct TraceCommand: Sendable {
  private let files: [String]
  private let isASCII: Bool

  /// - Parameters:
  ///   - files: the arguments that name the trace: one file, or several that form one.
  ///   - ascii: whether the lines are limited to ASCII.
  public init(_ files: [String], ascii: Bool = false) {
    self.files = files
    isASCII = ascii
  }

  /// The command line that lists all losses: of one file, that which reads nothing else.
  public var losses: String {
    files.count == 1 ? line("query", "SELECT * FROM losses") : line("replay")
  }

  /// Returns a command line: `varve why shop.varve '#12'`.
  public func line(_ verb: String, _ words: String...) -> String {
    (["varve", verb] + (files + words).map { ShellText.word($0, ascii: isASCII) })
      .joined(separator: " ")
  }
}

/// Text in the form that a shell reads.
public enum ShellText {
  /// Returns the text as one word, quoted if necessary.
  public static func word(_ text: String, ascii: Bool = false) -> String {
    if !text.isEmpty, text.utf8.allSatisfy(isPlain) { return text }
    guard TerminalText.escaped(text, ascii: ascii) == text else { return coded(text) }
    let parts = text.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + parts.joined(separator: #"'\''"#) + "'"
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "_-./:@%+=,".utf8.contains(byte)
    }
  }

  /// Returns text that could control a terminal, or is not ASCII where only that may be written, in
  /// `$'…'` escapes, which all but the oldest shells read.
  private static func coded(_ text: String) -> String {
    let bytes = text.utf8.map { byte in
      if isPlain(byte) || byte == UInt8(ascii: " ") { return String(UnicodeScalar(byte)) }
      let digits = String(byte, radix: 16)
      return (digits.count == 1 ? #"\x0"# : #"\x"#) + digits
    }
    return "$'" + bytes.joined() + "'"
  }
}
