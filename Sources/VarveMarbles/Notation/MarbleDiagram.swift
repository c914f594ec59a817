/// A stream drawn as text, in the notation of RxJS's test scheduler.
///
///     --a--b-|      a in frame 2, b in frame 5, completed in frame 7
///     -(ab|)        a, b and completion in frame 1
///     a 20ms b #    b in frame 21, because each character is a frame; the failure in frame 22
///
/// `-` is a frame without an event, letters and digits are values, `|` is completion, `#` failure,
/// `!` interruption, `^` subscription. Events in parentheses share one frame, that of the opening
/// parenthesis, and time then advances by as many frames as the group has characters. A number with
/// `ms`, `s` or `m`, surrounded by white space, advances the time. Other white space is ignored.
///
/// The notation: RxJS documentation, "Testing RxJS Code with Marble Diagrams".
public struct MarbleDiagram: Sendable, Hashable {
  /// The marbles, in order.
  public var marbles: [TimedMarble]
  /// The number of frames of the text.
  public var length: Int

  /// Creates a diagram from marbles, which must be in order.
  public init(_ marbles: [TimedMarble], length: Int? = nil) {
    self.marbles = marbles
    self.length = max(length ?? 0, (marbles.last?.frame ?? -1) + 1)
  }

  /// Creates a diagram from text.
  ///
  /// - Throws: `MarbleDiagram.Mistake` with the position of the error.
  public init(parsing text: String) throws(Mistake) {
    var reader = MarbleReader(text)
    while try reader.readNext() {}
    marbles = reader.marbles
    length = reader.frame
  }

  /// A syntax error in a diagram, with its position.
  public struct Mistake: Error, Hashable, CustomStringConvertible {
    /// The text of the diagram.
    public let text: String
    /// The index of the offending character.
    public let position: Int
    /// A description of the error.
    public let reason: String

    /// The text with a caret under the position.
    public var description: String {
      "\(reason):\n\(text)\n\(String(repeating: " ", count: position))^"
    }
  }
}

/// A parser that reads a diagram from left to right.
private struct MarbleReader {
  private let text: String
  private let characters: [Character]
  private var position = 0
  private var groupStart: Int?
  private(set) var frame = 0
  private(set) var marbles: [TimedMarble] = []

  init(_ text: String) {
    self.text = text
    characters = Array(text)
  }

  /// Reads one element. Returns false at the end.
  mutating func readNext() throws(MarbleDiagram.Mistake) -> Bool {
    guard position < characters.count else {
      if let groupStart { throw mistake("a group that is not closed", at: groupStart) }
      return false
    }
    if let step = pause() {
      frame += step
      return true
    }
    let character = characters[position]
    if character.isWhitespace {
      position += 1
      return true
    }
    try read(character)
    position += 1
    return true
  }

  private mutating func read(_ character: Character) throws(MarbleDiagram.Mistake) {
    switch character {
    case "-":
      if groupStart != nil { throw mistake("time cannot go on inside a group") }
      frame += 1
    case "(":
      if groupStart != nil { throw mistake("a group inside a group") }
      groupStart = position
    case ")":
      guard let start = groupStart else { throw mistake("a group that was not opened") }
      groupStart = nil
      frame += position - start + 1
    default:
      guard let marble = Marble(character) else { throw mistake("not a marble") }
      marbles.append(TimedMarble(marble, at: frame))
      if groupStart == nil { frame += 1 }
    }
  }

  /// Returns the frames of a pause such as `20ms` at this position, if there is one surrounded by
  /// white space.
  private mutating func pause() -> Int? {
    guard groupStart == nil, position == 0 || characters[position - 1].isWhitespace else {
      return nil
    }
    var end = position
    while end < characters.count, characters[end].isASCII, characters[end].isNumber { end += 1 }
    guard end > position, let count = Int(String(characters[position..<end])) else { return nil }
    for (unit, size) in [("ms", 1), ("s", 1000), ("m", 60_000)] {
      let after = end + unit.count
      guard characters[end...].starts(with: Array(unit)),
        after == characters.count || characters[after].isWhitespace
      else { continue }
      position = after
      return count * size
    }
    return nil
  }

  private func mistake(_ reason: String, at place: Int? = nil) -> MarbleDiagram.Mistake {
    MarbleDiagram.Mistake(text: text, position: place ?? position, reason: reason)
  }
}

extension Marble {
  /// Creates the marble for a character, or returns nil if there is none.
  public init?(_ character: Character) {
    switch character {
    case "|": self = .completed
    case "#": self = .failed
    case "!": self = .interrupted
    case "^": self = .subscribed
    case _ where character.isLetter || character.isNumber: self = .value(character)
    default: return nil
    }
  }
}

extension MarbleDiagram: CustomStringConvertible {
  /// The diagram as text. Parsing it gives the same order, and the same frames as far as the
  /// notation can express them: a group takes as many frames as it has characters, so a marble that
  /// follows it sooner is drawn right after it.
  public var description: String {
    var text = ""
    var frame = 0
    var index = 0
    while index < marbles.count {
      let moment = marbles[index...].prefix { $0.frame == marbles[index].frame }
      text += Self.gap(of: moment[index].frame - frame, after: text)
      frame = max(frame, moment[index].frame)
      let characters = String(moment.map(\.marble.character))
      text += moment.count == 1 ? characters : "(\(characters))"
      frame += moment.count == 1 ? 1 : moment.count + 2
      index = moment.endIndex
    }
    return text + Self.gap(of: length - frame, after: text)
  }

  /// Returns dashes, or a number of milliseconds if there would be too many dashes.
  private static func gap(of frames: Int, after text: String) -> String {
    guard frames > 20 else { return String(repeating: "-", count: max(0, frames)) }
    return "\(text.isEmpty ? "" : " ")\(frames)ms "
  }
}

extension MarbleDiagram: ExpressibleByStringLiteral {
  /// Creates a diagram from text. A syntax error stops the program with the position of the error.
  public init(stringLiteral text: String) {
    do {
      self = try MarbleDiagram(parsing: text)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
