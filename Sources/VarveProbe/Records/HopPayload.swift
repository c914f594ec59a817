/// The stack of the code that did something, and the hop during which it did, packed into the word
/// of a `hopScheduled`, `sent` or `read` record.
public struct HopPayload: Sendable, Hashable {
  /// The stack of the code that scheduled the work, or sent or read; 0 if none was taken.
  public var stack: UInt32
  /// The hop during which that code ran; 0 if there was none. Following these gives the
  /// asynchronous backtrace.
  public var parent: UInt64

  /// Creates a payload.
  public init(stack: UInt32, parent: UInt64) {
    self.stack = stack
    self.parent = parent
  }

  /// Creates a payload from a record's word: the stack in the lower 20 bits, the parent in the
  /// upper 44.
  public init(word: UInt64) {
    self.init(stack: UInt32(word & 0xf_ffff), parent: word >> 20)
  }

  /// The record's word.
  public var word: UInt64 { UInt64(stack & 0xf_ffff) | parent << 20 }
}
