/// An error in a selection.
public struct SelectionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A sentence for the user that says what is wrong and what to try instead.
  public var message: String

  /// The text with the mistake, if it is one that the user wrote.
  public var excerpt: Excerpt?

  /// A text and the place of the mistake in it.
  public struct Excerpt: Sendable, Hashable {
    /// The text as it was written.
    public var text: String
    /// The number of characters before the mistake.
    public var offset: Int

    /// Creates an excerpt.
    public init(text: String, offset: Int) {
      self.text = text
      self.offset = offset
    }
  }

  /// Creates an error.
  public init(_ message: String, excerpt: Excerpt? = nil) {
    self.message = message
    self.excerpt = excerpt
  }

  /// The message.
  public var description: String { message }
}
