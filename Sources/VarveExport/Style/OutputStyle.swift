/// What an output can show.
public struct OutputStyle: Sendable, Hashable {
  /// Whether colours are understood.
  public var colours: Bool
  /// Whether only ASCII is.
  public var ascii: Bool
  /// How many columns there are, for outputs that lines must fit into; nil cuts nothing.
  public var width: Int?

  /// Plain text without end: what goes into files and pipes.
  public static let plain = OutputStyle(colours: false, ascii: false, width: nil)

  /// Creates a style.
  public init(colours: Bool, ascii: Bool, width: Int?) {
    self.colours = colours
    self.ascii = ascii
    self.width = width
  }

  /// Puts text into a colour.
  func paint(_ text: String, _ colour: Colour) -> String {
    guard colours, !text.isEmpty else { return text }
    return colour.start + text + Colour.end
  }
}

/// Colours of the sixteen that every terminal has and its owner has chosen.
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

  /// The colour of a stream: the same in every run and every verb, for it hangs on the name alone.
  static func stream(_ name: String) -> Colour {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return Colour(code: streams[Int(hash >> 32) % streams.count])
  }
}
