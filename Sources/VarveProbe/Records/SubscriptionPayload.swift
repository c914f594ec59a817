/// The stream that a subscription feeds and the stack that observes it, packed into the word of a
/// `subscribed` record.
public struct SubscriptionPayload: Sendable, Hashable {
  /// The stream that the subscription feeds; 0 for an observer outside all streams.
  public var stream: UInt32
  /// The stack of the observing code; 0 if none was taken.
  public var stack: UInt32

  /// Creates a payload.
  public init(stream: UInt32, stack: UInt32) {
    self.stream = stream
    self.stack = stack
  }

  /// Creates a payload from a record's word: the stream in the lower half, the stack in the upper
  /// half.
  public init(word: UInt64) {
    self.init(stream: UInt32(truncatingIfNeeded: word), stack: UInt32(word >> 32))
  }

  /// The record's word.
  public var word: UInt64 { UInt64(stream) | UInt64(stack) << 32 }
}
