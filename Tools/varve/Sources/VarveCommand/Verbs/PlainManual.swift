internal import VarveExport

/// A page of the manual as text, for terminals of systems without `man`. It knows the requests that
/// `ManualPage` writes.
struct PlainManual {
  private let style: OutputStyle
  private var lines: [String] = []
  /// The words of the paragraph that is being filled.
  private var words: [String] = []
  private var isFilled = true
  /// Whether the next line is what the ones after it explain, and whether they are explanations.
  private var (isTag, isExplanation) = (false, false)

  private static let indent = 4
  private static let usualWidth = 80

  /// Returns a page as text.
  static func text(_ page: String, style: OutputStyle) -> String {
    var manual = PlainManual(style: style)
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) { manual.add(line) }
    manual.endParagraph()
    return manual.lines.map { $0 + "\n" }.joined()
  }

  private init(style: OutputStyle) {
    var style = style
    if style.width == nil {
      style = OutputStyle(colours: false, ascii: style.ascii, width: Self.usualWidth)
    }
    self.style = style
  }

  private mutating func add(_ line: Substring) {
    guard line.hasPrefix(".") else { return write(Self.plain(line)) }
    let request = line.prefix { $0 != " " }
    let rest = line[request.endIndex...].dropFirst()
    switch request {
    case ".TH": break
    case ".SH":
      endParagraph()
      (isTag, isExplanation) = (false, false)
      if !lines.isEmpty { lines.append("") }
      lines.append(Self.plain(rest))
    case ".TP":
      endParagraph()
      (isTag, isExplanation) = (true, false)
    case ".br": endParagraph()
    case ".nf", ".fi":
      endParagraph()
      isFilled = request == ".fi"
    case ".BR", ".RI":
      // Fonts that alternate, without space between them.
      write(Self.plain(rest).split(separator: " ").joined())
    default: write(Self.plain(rest))
    }
  }

  private mutating func write(_ text: String) {
    guard isFilled else {
      lines.append(String(repeating: " ", count: text.isEmpty ? 0 : Self.indent) + text)
      return
    }
    guard !text.isEmpty else { return }
    guard isTag else {
      words.append(text)
      return
    }
    lines.append(String(repeating: " ", count: Self.indent) + text)
    (isTag, isExplanation) = (false, true)
  }

  private mutating func endParagraph() {
    let text = words.joined(separator: " ")
    words = []
    guard !text.isEmpty else { return }
    let indent = isExplanation ? 2 * Self.indent : Self.indent
    for part in style.wrapped(text, indent: indent) {
      lines.append(String(repeating: " ", count: indent) + part)
    }
  }

  /// Returns text without the escapes of `man`.
  private static func plain(_ text: Substring) -> String {
    var plain = ""
    var rest = text
    while let character = rest.popFirst() {
      guard character == "\\", let next = rest.popFirst() else {
        plain.append(character)
        continue
      }
      switch next {
      case "f": _ = rest.popFirst()
      case "&": break
      case "e": plain.append("\\")
      default: plain.append(next)
      }
    }
    return plain
  }
}
