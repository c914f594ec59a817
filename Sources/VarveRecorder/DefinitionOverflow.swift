internal import VarveFormat

/// Definitions that had no room in the log: kept in memory until they are in the file, as far as
/// there is room for them. What is left out is counted.
struct DefinitionOverflow: Sendable {
  /// Definitions that were made one after the other.
  struct Part: Sendable {
    /// What lies before this position in the log was defined earlier, and what lies behind it later:
    /// of several definitions of one thing the last one counts.
    var position: UInt64
    /// The definitions, as the log has them.
    var bytes: [UInt8]
  }

  /// What waits, oldest first.
  private(set) var parts: [Part] = []
  /// How many bytes that is.
  private(set) var bytes = 0
  /// Definitions that are nowhere, and that the trace does not tell of yet.
  private(set) var loss: TraceLoss?
  /// Before this tick nothing is lost that is not told of.
  private var toldUntil: UInt64 = 0

  /// A program that makes streams while the disk is full, for as long as it likes, is not to grow
  /// without end. Some forty thousand streams.
  static let most = 4 << 20

  /// Keeps a definition that is made when the log has come to `position`, or counts it.
  mutating func append(_ definition: [UInt8], at position: UInt64, ticks: UInt64) {
    guard bytes + definition.count <= Self.most else { return leaveOut(ticks) }
    if parts.last?.position != position { parts.append(Part(position: position, bytes: [])) }
    parts[parts.count - 1].bytes += definition
    bytes += definition.count
  }

  private mutating func leaveOut(_ ticks: UInt64) {
    let first = loss?.ticks.lowerBound ?? max(ticks, toldUntil)
    let last = max(loss?.ticks.upperBound ?? first, ticks)
    loss = TraceLoss(
      ring: 0, count: (loss?.count ?? 0) + 1, ticks: first...last, reason: .notDefined)
  }

  /// The first so many bytes of the oldest part are in the file.
  mutating func written(_ count: Int) {
    parts[0].bytes.removeFirst(count)
    if parts[0].bytes.isEmpty { parts.removeFirst() }
    bytes -= count
  }

  /// The file tells of this.
  mutating func told(_ told: TraceLoss) {
    guard let loss else { return }
    toldUntil = max(told.ticks.upperBound, told.ticks.upperBound &+ 1)
    let last = max(loss.ticks.upperBound, toldUntil)
    self.loss =
      loss.count == told.count
      ? nil
      : TraceLoss(
        ring: 0, count: loss.count - told.count, ticks: toldUntil...last, reason: .notDefined)
  }
}
