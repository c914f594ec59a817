/// The code that scheduled work and the hop that it ran in, as the word that its `hopScheduled`
/// record carries.
public struct HopPayload: Sendable, Hashable {
  /// The stack of the code that scheduled it; 0 when none was taken.
  public var stack: UInt32
  /// The hop during which it was scheduled; 0 when there was none. Following these gives the
  /// asynchronous backtrace.
  public var parent: UInt64

  /// Creates a payload.
  public init(stack: UInt32, parent: UInt64) {
    self.stack = stack
    self.parent = parent
  }

  /// From a record's word: the stack in the lower 20 bits, the parent in the upper 44.
  public init(word: UInt64) {
    self.init(stack: UInt32(word & 0xf_ffff), parent: word >> 20)
  }

  /// A record's word.
  public var word: UInt64 { UInt64(stack & 0xf_ffff) | parent << 20 }
}
