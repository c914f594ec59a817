/// An event in a marble diagram.
public enum Marble: Sendable, Hashable {
  /// A value, by its letter.
  case value(Character)
  /// `|`: completion.
  case completed
  /// `#`: failure.
  case failed
  /// `!`: the stream was interrupted, or its subscriber disposed of the subscription.
  case interrupted
  /// `^`: subscription.
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

/// A marble and its frame, counted from 0.
public struct TimedMarble: Sendable, Hashable, CustomStringConvertible {
  /// The frame. By default, a frame is a millisecond.
  public var frame: Int
  /// The marble.
  public var marble: Marble

  /// Creates a marble at a frame.
  public init(_ marble: Marble, at frame: Int) {
    self.frame = frame
    self.marble = marble
  }

  /// The letter and the frame: `a@3`.
  public var description: String { "\(marble.character)@\(frame)" }
}
