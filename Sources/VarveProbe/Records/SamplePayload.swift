/// Where work was that ran for long, packed into the word of a `hopSampled` record.
public struct SamplePayload: Sendable, Hashable {
  /// The stack that its thread had.
  public var stack: UInt32
  /// Whether the thread waited in a system call.
  public var waits: Bool
  /// The thread that held the lock which it waited for, by the system's number; 0 if it waited for
  /// something else, or that is unknown.
  public var holder: UInt64

  /// Creates a payload.
  public init(stack: UInt32, waits: Bool, holder: UInt64 = 0) {
    self.stack = stack
    self.waits = waits
    self.holder = holder
  }

  /// Creates a payload from a record's word: the stack in the lower 20 bits, then a bit for the wait,
  /// then the holder.
  public init(word: UInt64) {
    self.init(stack: UInt32(word & 0xf_ffff), waits: word >> 20 & 1 != 0, holder: word >> 21)
  }

  /// The record's word.
  public var word: UInt64 { UInt64(stack & 0xf_ffff) | (waits ? 1 : 0) << 20 | holder << 21 }
}
