/// A reason, and the stack of the code responsible, packed into the word of a `.reason` payload.
public struct ReasonPayload: Sendable, Hashable {
  /// The number of an `EndReason`, an `AbsorptionReason` or a `WaitReason`.
  public var reason: UInt32
  /// The stack of the code that ended the subscription or that waits; 0 if none was taken.
  public var stack: UInt32

  /// Creates a payload.
  public init(reason: UInt8, stack: UInt32) {
    self.reason = UInt32(reason)
    self.stack = stack
  }

  /// Creates a payload from a record's word: the reason in the lower half, the stack in the upper
  /// half.
  public init(word: UInt64) {
    reason = UInt32(truncatingIfNeeded: word)
    stack = UInt32(word >> 32)
  }

  /// The record's word.
  public var word: UInt64 { UInt64(reason) | UInt64(stack) << 32 }
}
