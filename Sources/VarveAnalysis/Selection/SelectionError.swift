/// An error in a selection.
public struct SelectionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A sentence for the user that says what is wrong and what to try instead.
  public var message: String

  /// Creates an error.
  public init(_ message: String) { self.message = message }

  /// The message.
  public var description: String { message }
}
