/// The abilities of an output.
public struct OutputStyle: Sendable, Hashable {
  /// Whether the output shows colors.
  public var colours: Bool
  /// Whether the output is limited to ASCII.
  public var ascii: Bool
  /// The width in columns that lines are laid out for; nil lays them out in full.
  public var width: Int?
  /// Whether lines end at that width. If not, columns are chosen for it, but texts at the ends of
  /// lines are whole: a pager shows the rest.
  public var cutsLines = true

  /// Plain text of unlimited width, for files and pipes.
  public static let plain = OutputStyle(colours: false, ascii: false, width: nil)

  /// Creates a style.
  public init(colours: Bool, ascii: Bool, width: Int?, cutsLines: Bool = true) {
    self.colours = colours
    self.ascii = ascii
    self.width = width
    self.cutsLines = cutsLines
  }

  /// Returns recorded text in a form that is safe to print, in ASCII if the output is limited to it.
  func escaped(_ text: String) -> String { TerminalText.escaped(text, ascii: ascii) }

  /// Returns a recorded name in such a form; one without characters is `""`, so that it is seen.
  func name(_ text: String) -> String { TerminalText.name(text, ascii: ascii) }

  /// Returns the text in a color.
  func paint(_ text: String, _ colour: Colour) -> String {
    guard colours, !text.isEmpty else { return text }
    return colour.start + text + Colour.end
  }
}

/// A color of the terminal's own palette.
struct Colour: Sendable, Hashable {
  private let code: String

  var start: String { "\u{1b}[\(code)m" }
  static let end = "\u{1b}[0m"

  static let dim = Colour(code: "2")
  static let bold = Colour(code: "1")
  static let completed = Colour(code: "32")
  static let failed = Colour(code: "1;31")
  static let interrupted = Colour(code: "33")
  static let scheduler = Colour(code: "2;36")

  private static let streams = ["36", "35", "34", "96", "95", "94", "92", "93"]

  /// Returns the color of a stream. It depends on the name only, so all runs and verbs agree.
  static func stream(_ name: String) -> Colour {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return Colour(code: streams[Int(hash >> 32) % streams.count])
  }
}
