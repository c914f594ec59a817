/// The outcome of rewriting a trace.
public struct RewriteOutcome: Sendable, Hashable {
  /// The number of events in the new file.
  public var events: UInt64 = 0
  /// The number of these that came from a sidecar's rings.
  public var folded: UInt64 = 0
  /// The number of events whose values were removed.
  public var withheld: UInt64 = 0
  /// The size of the new file in bytes.
  public var bytes: UInt64 = 0
  /// Whether the sidecar was removed, because the new file has replaced the old one and contains
  /// everything that was in it.
  public var isSidecarRemoved = false
  /// The parts of the old file that could not be read and are not in the new one.
  public var damage: [TraceDamage] = []
  /// The parts that contradicted themselves and were corrected: their contents are in the new file.
  public var mended: [TraceDamage] = []

  /// Creates an outcome with all counts at zero.
  public init() {}
}

/// A function that receives the progress of a long task: the bytes done, and their total.
public typealias RewriteProgress = (_ done: UInt64, _ all: UInt64) -> Void
