public import VarveFormat
public import VarveProbe

/// How something in a trace came to run: a stack, the stack that scheduled the work it belongs to,
/// the stack that scheduled that work, and so on.
public struct TracedBacktrace: Sendable, Hashable {
  /// A stack, and the work that it scheduled.
  public struct Segment: Sendable, Hashable {
    /// The frames, innermost first; empty when no stack was recorded.
    public var frames: [StackFrame]
    /// The scheduler that the work was given to; nil for the stack of the moment itself.
    public var scheduler: UInt32?
    /// The hop of that work; 0 for none.
    public var hop: UInt64
    /// The event that scheduled it; nil when the trace does not hold it.
    public var event: EventName?
    /// The ring of the thread that scheduled it.
    public var ring: UInt32?
    /// When it was scheduled, in ticks.
    public var ticks: UInt64?
    /// The number of earlier segments that are left out because the same code had scheduled itself.
    public var repeats: Int
  }

  /// The segments, newest first.
  public var segments: [Segment]
  /// Whether older segments are missing.
  public var isCut: Bool

  /// Every frame of every segment.
  public var frames: [StackFrame] { segments.flatMap(\.frames) }
}

/// The state of a thread at the end of a trace.
public struct ThreadMoment: Sendable, Hashable {
  /// The thread incarnation.
  public var ring: UInt32
  /// Its last event; nil when it recorded none.
  public var lastEvent: EventName?
  /// The time of its last event, in ticks.
  public var lastTick: UInt64?
  /// The stack that a signal interrupted, if one did: the interrupted place first, then its callers
  /// as far as they are known.
  public var struck: [StackFrame]
  /// The hops that it was running, outermost first.
  public var running: [UInt64]
  /// How the innermost of them came to run; nil when the thread was running none.
  public var backtrace: TracedBacktrace?

  /// Every frame in this state.
  public var frames: [StackFrame] {
    struck + (backtrace?.frames ?? [])
  }
}
