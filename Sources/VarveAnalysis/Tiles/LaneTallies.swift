public import VarveProbe

/// How many events of which kinds each lane has, and when its first and last ones were.
public struct LaneTallies: Sendable {
  /// The number of kinds that are counted separately.
  private static let kinds = 32
  /// For each lane: the first tick, the last, the number of events of each kind, and the recording.
  private static let width = 3 + kinds

  private var words: [UInt64]
  /// The threads that ran work.
  private(set) var working: Set<UInt32> = []
  /// How many subscriptions were open when; nil before the pass is over.
  var balances: SubscriptionBalances?

  init(_ lanes: Int) {
    words = Array(repeating: 0, count: lanes * Self.width)
    for lane in 0..<lanes { words[lane * Self.width] = .max }
  }

  /// Lends the memory in which `add` counts.
  @inline(__always)
  mutating func withWords<Result>(_ body: (UnsafeMutablePointer<UInt64>) -> Result) -> Result? {
    words.withUnsafeMutableBufferPointer { $0.baseAddress.map { body($0) } }
  }

  /// - Parameter recording: of several recordings in one trace, the number of the event's.
  @inline(__always)
  static func add(
    _ tick: UInt64, _ lane: Int, _ kind: UInt8, _ recording: UInt64,
    to words: UnsafeMutablePointer<UInt64>
  ) {
    let own = words + lane &* width
    own[2 &+ kinds] = recording
    own[2 &+ Int(min(kind, UInt8(kinds - 1)))] &+= 1
    if tick < own[0] { own[0] = tick }
    if tick > own[1] { own[1] = tick }
  }

  /// Notes that a thread ran work.
  mutating func note(working ring: UInt32) { working.insert(ring) }

  mutating func add(_ other: LaneTallies) {
    for start in stride(from: 0, to: words.count, by: Self.width) {
      words[start] = min(words[start], other.words[start])
      words[start + 1] = max(words[start + 1], other.words[start + 1])
      for index in start + 2..<start + 2 + Self.kinds { words[index] += other.words[index] }
      let recording = start + 2 + Self.kinds
      words[recording] = max(words[recording], other.words[recording])
    }
    working.formUnion(other.working)
  }

  private func start(_ lane: Int) -> Int? {
    let start = lane * Self.width
    return start + Self.width <= words.count ? start : nil
  }

  /// Returns the number of a lane's events of a kind.
  public func count(_ lane: Int, _ kind: RecordKind) -> UInt64 {
    start(lane).map { words[$0 + 2 + Int(kind.rawValue)] } ?? 0
  }

  /// Returns the number of a lane's events.
  public func events(_ lane: Int) -> UInt64 {
    start(lane).map { words[$0 + 2..<$0 + 2 + Self.kinds].reduce(0, +) } ?? 0
  }

  /// Returns the number of the recording that a lane's events are of; 0 of a trace with one alone.
  public func recording(_ lane: Int) -> UInt32 {
    start(lane).map { UInt32(truncatingIfNeeded: words[$0 + 2 + Self.kinds]) } ?? 0
  }

  /// Returns how many subscriptions of each lane were open shortly before a moment.
  ///
  /// - Parameter tick: the moment, counted from the first tick of the trace.
  /// - Returns: the tick, likewise, from which on events have to be counted until then, and for each
  ///   lane the number before; nil before the pass.
  public func subscriptions(before tick: UInt64) -> (from: UInt64, open: [Int])? {
    balances?.open(before: tick)
  }

  /// Returns the times of a lane's first and last event; nil if it has none.
  public func ticks(_ lane: Int) -> ClosedRange<UInt64>? {
    guard let start = start(lane), words[start] <= words[start + 1] else { return nil }
    return words[start]...words[start + 1]
  }

  /// Returns whether a thread, given by its ring, ran work of a scheduler.
  public func hasWorked(_ ring: UInt32) -> Bool { working.contains(ring) }
}
