/// What became of a trace that was written again.
public struct RewriteOutcome: Sendable, Hashable {
  /// Events in the new file.
  public var events: UInt64 = 0
  /// How many of them came from a sidecar's rings.
  public var folded: UInt64 = 0
  /// Events whose values were taken out.
  public var withheld: UInt64 = 0
  /// Bytes of the new file.
  public var bytes: UInt64 = 0
  /// Whether the sidecar was removed, because the new file has taken the old one's place and holds
  /// all that it held.
  public var isSidecarRemoved = false
  /// What of the old one could not be read and is not in the new one.
  public var damage: [TraceDamage] = []
  /// What contradicted itself and was put right: all that it held is in the new file.
  public var mended: [TraceDamage] = []

  /// Nothing yet.
  public init() {}
}

/// Is told how far a long task has come: so many bytes of so many.
public typealias RewriteProgress = (_ done: UInt64, _ all: UInt64) -> Void
