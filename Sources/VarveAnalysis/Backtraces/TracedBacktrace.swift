public import VarveFormat
public import VarveProbe

/// How something in a trace came to run: a stack, the stack that scheduled the work it belongs to,
/// the stack that scheduled that, and so on.
public struct TracedBacktrace: Sendable, Hashable {
  /// A stack, and what it gave work to.
  public struct Segment: Sendable, Hashable {
    /// The frames, innermost first; empty when no stack was recorded.
    public var frames: [StackFrame]
    /// The scheduler that the work was given to; nil for the stack of the moment itself.
    public var scheduler: UInt32?
    /// The hop that the work was; 0 for none.
    public var hop: UInt64
    /// The event that scheduled it; nil when the trace does not hold it.
    public var event: EventName?
    /// The ring of the thread that scheduled it.
    public var ring: UInt32?
    /// When it was scheduled, in ticks.
    public var ticks: UInt64?
    /// How often the same code had scheduled itself before, which is not shown.
    public var repeats: Int
  }

  /// The segments, newest first.
  public var segments: [Segment]
  /// Whether there were older ones.
  public var isCut: Bool

  /// Every frame of every segment.
  public var frames: [StackFrame] { segments.flatMap(\.frames) }
}

/// A thread as a trace leaves it.
public struct ThreadMoment: Sendable, Hashable {
  /// The thread incarnation.
  public var ring: UInt32
  /// Its last event, and when that was; nil when it has said nothing.
  public var lastEvent: EventName?
  /// In ticks.
  public var lastTick: UInt64?
  /// Where it was when a signal struck it, if one did: the place itself, then its callers as far as
  /// they are known.
  public var struck: [StackFrame]
  /// The hops that it was running, outermost first.
  public var running: [UInt64]
  /// How the innermost of them came to run; nil when it ran none.
  public var backtrace: TracedBacktrace?

  /// Every frame that there is something to say of.
  public var frames: [StackFrame] {
    struck + (backtrace?.frames ?? [])
  }
}
