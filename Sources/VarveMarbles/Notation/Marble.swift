/// What happens at one moment of a marble diagram.
public enum Marble: Sendable, Hashable {
  /// A value, by its letter.
  case value(Character)
  /// `|`
  case completed
  /// `#`
  case failed
  /// `!`: the stream was interrupted, or its subscriber disposed of it.
  case interrupted
  /// `^`: somebody subscribed.
  case subscribed

  /// The marble's character.
  public var character: Character {
    switch self {
    case .value(let letter): letter
    case .completed: "|"
    case .failed: "#"
    case .interrupted: "!"
    case .subscribed: "^"
    }
  }
}

/// A marble and the frame in which it lies, counted from 0.
public struct TimedMarble: Sendable, Hashable, CustomStringConvertible {
  /// The frame; one is a millisecond unless somebody says otherwise.
  public var frame: Int
  /// The marble.
  public var marble: Marble

  /// Creates a marble in a frame.
  public init(_ marble: Marble, at frame: Int) {
    self.frame = frame
    self.marble = marble
  }

  /// `a@3`
  public var description: String { "\(marble.character)@\(frame)" }
}
