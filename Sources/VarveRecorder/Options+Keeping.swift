public import VarveProbe

extension Recorder {
  /// The part of a recording that a flight recorder keeps.
  public struct Window: Sendable, Hashable {
    enum Extent: Sendable, Hashable {
      case bytes(UInt64)
      case time(nanoseconds: UInt64)
    }

    var last: Extent
    /// The number of bytes kept of the recording's beginning.
    public var first = 1 << 20 {
      didSet { first = min(max(first, 0), Self.most) }
    }

    /// More than any disk holds, and far from overflow in sums.
    private static let most = 1 << 60

    /// Returns a window of at least the last `bytes` bytes of the file. An event takes 0.1 to 10
    /// bytes, compressed.
    public static func bytes(_ bytes: Int) -> Window {
      Window(last: .bytes(UInt64(min(max(bytes, 64 << 10), most))))
    }

    /// Returns a window of at least the events of the last `duration`.
    public static func time(_ duration: Duration) -> Window {
      Window(last: .time(nanoseconds: duration.nanoseconds))
    }

    private init(last: Extent) { self.last = last }

    /// Returns the same window with a number of bytes of the recording's beginning.
    public func keepingFirst(_ bytes: Int) -> Window {
      var window = self
      window.first = bytes
      return window
    }
  }

  /// A rule for continuing a trace in another file. `run.varve` is always the file being written;
  /// the finished ones become `run-1.varve`, `run-2.varve`, …, each complete in itself. All have
  /// the recording's ID, and the threads and streams of their events have the same numbers
  /// throughout.
  public struct Rotation: Sendable, Hashable {
    /// The size in bytes at which the trace continues in another file; nil for any size.
    public var bytes: Int?
    /// The age at which the trace continues in another file; nil for any age.
    public var age: Duration?
    /// The number of finished files kept: the oldest are removed. Nil keeps all.
    public var files: Int?

    /// Creates a rule. It needs a size or an age: `Recorder.start` refuses one that never applies.
    public init(bytes: Int? = nil, age: Duration? = nil, files: Int? = nil) {
      self.bytes = bytes
      self.age = age
      self.files = files
    }
  }

  /// A cause for a snapshot, besides `Recorder.snapshot(to:)`. Snapshots are placed beside the
  /// trace: `run-snapshot-1.varve`, …, at most one a second. Streams cause at most eight snapshots
  /// per recording, and a line on standard error says so when there would be more; signals and
  /// `varve control` cause as many as are requested.
  public enum Trigger: Sendable, Hashable {
    /// A signal to the process. There may be several.
    case signal(Int32)
    /// A failure of a stream whose name matches.
    case failure(of: NameGlob)
    /// The first value that a stage absorbs for this reason. Absorption is then recorded even if
    /// `recordsAbsorption` is false.
    case absorption(AbsorptionReason)

    var isAbsorption: Bool { if case .absorption = self { true } else { false } }
  }
}

extension Duration {
  /// The duration in whole nanoseconds; 0 if negative.
  var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let whole = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return whole.overflow
      ? .max / 2 : min(whole.partialValue, .max / 2) + UInt64(attoseconds / 1_000_000_000)
  }
}
