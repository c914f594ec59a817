/// A selection that cannot be understood.
public struct SelectionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, and what to try instead, in a sentence for people.
  public var message: String

  /// Creates an error.
  public init(_ message: String) { self.message = message }

  /// The message.
  public var description: String { message }
}
