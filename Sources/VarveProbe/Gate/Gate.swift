public import CVarveSystem

/// The gate through which everything is told: one word, read once by each root for each event.
///
/// It is a C global read by a static inline function because a Swift global is reached through an
/// accessor call from another module (1.9 ns instead of 0).
public enum Gate {
  /// Closed when 0; else a session in the upper 24 bits and the recorder's `Wish` in the lower 8.
  @inlinable @inline(__always)
  public static var word: UInt32 { vv_gate_load() }

  /// Whether somebody wants to be told.
  @inlinable @inline(__always)
  public static var isOpen: Bool { vv_gate_load() != 0 }
}

/// What a recorder wants to be told: the lower eight bits of the gate's word.
public struct Wish: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt8

  /// Creates a wish from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The wish that a gate's word carries.
  @inlinable
  public init(gate: UInt32) { self.init(rawValue: UInt8(truncatingIfNeeded: gate)) }

  /// Every operator's stream; without it, only streams that the user named.
  public static let allStreams = Wish(rawValue: 1 << 0)
  /// Values that a stage swallowed, with the reason.
  public static let absorption = Wish(rawValue: 1 << 1)
  /// Values of types that have no compact encoding as their type's name only; without it, as a
  /// description of at most 256 bytes.
  public static let typesOnly = Wish(rawValue: 1 << 2)
  /// No values at all, whatever their type; together with `typesOnly`, of all values their types.
  public static let withholdValues = Wish(rawValue: 1 << 3)
  /// The stack of the code that schedules work.
  public static let stacks = Wish(rawValue: 1 << 4)

  /// The gate's word has two bits, from this one on, that tell apart what one recording asked for
  /// first and later.
  public static let turnShift: UInt32 = 6
  /// How many that makes.
  public static let turns: UInt32 = 4
}
