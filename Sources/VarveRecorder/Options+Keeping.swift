public import VarveProbe

extension Recorder {
  /// How much a flight recorder keeps.
  public struct Window: Sendable, Hashable {
    enum Extent: Sendable, Hashable {
      case bytes(UInt64)
      case time(nanoseconds: UInt64)
    }

    var last: Extent
    /// Bytes of the recording's beginning that are kept as well.
    public var first = 1 << 20 {
      didSet { first = min(max(first, 0), Self.most) }
    }

    /// Far more than any disk holds, and far from where sums overflow.
    private static let most = 1 << 60

    /// At least the last so many bytes of the file. Compressed, an event takes some 0.1 to 10.
    public static func bytes(_ bytes: Int) -> Window {
      Window(last: .bytes(UInt64(min(max(bytes, 64 << 10), most))))
    }

    /// At least what was recorded in the last so long.
    public static func time(_ duration: Duration) -> Window {
      Window(last: .time(nanoseconds: duration.nanoseconds))
    }

    private init(last: Extent) { self.last = last }

    /// The same, with so many bytes of the recording's beginning.
    public func keepingFirst(_ bytes: Int) -> Window {
      var window = self
      window.first = bytes
      return window
    }
  }

  /// When a trace goes on in another file. `run.varve` is always the file that is being written;
  /// the finished ones become `run-1.varve`, `run-2.varve`, …, each complete in itself. All bear the
  /// recording's id, and their events' threads and streams have the same numbers throughout.
  public struct Rotation: Sendable, Hashable {
    /// When the file has so many bytes; nil for whenever.
    public var bytes: Int?
    /// When it is so old; nil for whenever.
    public var age: Duration?
    /// How many finished files are kept: the oldest are removed. Nil for all.
    public var files: Int?

    /// Creates a rule. It needs a size or an age: `Recorder.start` refuses one that never applies.
    public init(bytes: Int? = nil, age: Duration? = nil, files: Int? = nil) {
      self.bytes = bytes
      self.age = age
      self.files = files
    }
  }

  /// What has a snapshot made, beside `Recorder.snapshot(to:)`. Snapshots lie beside the trace:
  /// `run-snapshot-1.varve`, …, at most one a second. What streams do has at most eight made in a
  /// recording, and the program is told in a line on standard error when there would be more; signals
  /// have as many made as are sent, and so has `varve control`.
  public enum Trigger: Sendable, Hashable {
    /// A signal to the process. There may be several.
    case signal(Int32)
    /// A failure of a stream whose name matches.
    case failure(of: NameGlob)
    /// The first value that a stage swallows for this reason. Absorption is recorded then, also
    /// where `recordsAbsorption` does not ask for it.
    case absorption(AbsorptionReason)

    var isAbsorption: Bool { if case .absorption = self { true } else { false } }
  }
}

extension Duration {
  /// In whole nanoseconds, 0 for what is below.
  var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let whole = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return whole.overflow
      ? .max / 2 : min(whole.partialValue, .max / 2) + UInt64(attoseconds / 1_000_000_000)
  }
}
