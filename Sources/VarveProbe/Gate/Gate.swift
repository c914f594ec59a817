public import CVarveSystem

/// The switch that turns recording on and off: one word, which each root reads once for each event.
///
/// It is a C global read by a static inline function, because another module would reach a Swift
/// global through an accessor call (1.9 ns instead of 0).
public enum Gate {
  /// The gate's word. Zero while closed; otherwise a session in the upper 24 bits and the
  /// recorder's `Wish` in the lower 8.
  @inlinable @inline(__always)
  public static var word: UInt32 { vv_gate_load() }

  /// Whether a recording is running.
  @inlinable @inline(__always)
  public static var isOpen: Bool { vv_gate_load() != 0 }
}

/// What a recorder wants to record: the lower eight bits of the gate's word.
public struct Wish: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt8

  /// Creates a wish from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The wish that a gate's word carries.
  @inlinable
  public init(gate: UInt32) { self.init(rawValue: UInt8(truncatingIfNeeded: gate)) }

  /// The streams of all operators; without it, only streams that the user named.
  public static let allStreams = Wish(rawValue: 1 << 0)
  /// Values that a stage absorbed, with the reason.
  public static let absorption = Wish(rawValue: 1 << 1)
  /// Only the type's name for values without a compact encoding; without it, a description of at
  /// most 256 bytes.
  public static let typesOnly = Wish(rawValue: 1 << 2)
  /// No values of any type; together with `typesOnly`, the type's name for every value.
  public static let withholdValues = Wish(rawValue: 1 << 3)
  /// Stacks of the code that schedules work, makes operators, and attaches and ends subscriptions.
  public static let stacks = Wish(rawValue: 1 << 4)
  /// Stacks of the code that sends events from outside the library; in addition to `stacks`.
  public static let senders = Wish(rawValue: 1 << 5)

  /// The position of the two bits in the gate's word that tell the successive wishes of one
  /// recording apart.
  public static let turnShift: UInt32 = 6
  /// The number of values that these bits can have.
  public static let turns: UInt32 = 4
}
