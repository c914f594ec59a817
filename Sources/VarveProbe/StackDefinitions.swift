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

/// An executable or a library as it was loaded into the process.
public struct ModuleDefinition: Sendable, Hashable {
  /// Unique in the process, from 1.
  public var id: UInt32
  /// The file.
  public var path: String
  /// The build id that the file had (its `NT_GNU_BUILD_ID` note); empty when it had none.
  public var buildID: [UInt8]
  /// What is added to the file's own addresses: an address less this is what its symbols say.
  public var bias: UInt64
  /// The addresses that its code takes.
  public var addresses: Range<UInt64>

  /// Creates a definition.
  public init(id: UInt32, path: String, buildID: [UInt8], bias: UInt64, addresses: Range<UInt64>) {
    self.id = id
    self.path = path
    self.buildID = buildID
    self.bias = bias
    self.addresses = addresses
  }
}

/// The code that scheduled work and the hop that it ran in, as the word that its `hopScheduled` record carries.
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
