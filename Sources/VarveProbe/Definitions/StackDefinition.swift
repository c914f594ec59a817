/// A stack: where some code was called from, as addresses that are given names later.
public struct StackDefinition: Sendable, Hashable {
  /// Unique in the process, from 1 to 2²⁰ − 1. Equal stacks share it.
  public var id: UInt32
  /// The id of the stack that a signal struck, which no other stack has.
  public static let struckID: UInt32 = 0xf_ffff
  /// The frames, innermost first.
  public var frames: [StackFrame]

  /// Creates a definition.
  public init(id: UInt32, frames: [StackFrame]) {
    self.id = id
    self.frames = frames
  }
}

/// One frame of a stack.
public struct StackFrame: Sendable, Hashable {
  /// The word that files hold: the address, with the top bit set for a resumption.
  public private(set) var word: UInt64

  private static let resumption: UInt64 = 1 << 63

  /// Where the frame goes on: a return address, or where an awaiting function resumes.
  public var address: UInt64 {
    get { word & ~Self.resumption }
    set { word = newValue & ~Self.resumption | word & Self.resumption }
  }
  /// Whether an `await` put it there, and not a call.
  public var isResumption: Bool { word & Self.resumption != 0 }

  /// Creates a frame.
  public init(address: UInt64, isResumption: Bool = false) {
    word = address & ~Self.resumption | (isResumption ? Self.resumption : 0)
  }

  /// From the word that files hold.
  public init(word: UInt64) { self.word = word }

  /// The address to look up: inside the call, whose return address may belong to the next line, or
  /// to the next function.
  public var lookup: UInt64 { isResumption || address == 0 ? address : address - 1 }
}
