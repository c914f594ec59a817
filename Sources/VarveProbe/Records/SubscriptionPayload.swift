/// The stream that a subscription feeds and the code that observes, as the word that its
/// `subscribed` record carries.
public struct SubscriptionPayload: Sendable, Hashable {
  /// The stream that the subscription feeds; 0 for an observer outside all streams.
  public var stream: UInt32
  /// The stack of the code that observes; 0 when none was taken.
  public var stack: UInt32

  /// Creates a payload.
  public init(stream: UInt32, stack: UInt32) {
    self.stream = stream
    self.stack = stack
  }

  /// From a record's word: the stream in the lower half, the stack in the upper one.
  public init(word: UInt64) {
    self.init(stream: UInt32(truncatingIfNeeded: word), stack: UInt32(word >> 32))
  }

  /// A record's word.
  public var word: UInt64 { UInt64(stream) | UInt64(stack) << 32 }
}
