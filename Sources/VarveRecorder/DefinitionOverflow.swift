internal import VarveFormat

/// Definitions that did not fit into the log, kept in memory until they are in the file, as far as
/// there is room. Those left out are counted.
struct DefinitionOverflow: Sendable {
  /// Definitions that were made one after the other.
  struct Part: Sendable {
    /// Definitions before this position in the log are older, and those after it are newer: of
    /// several definitions of one entity, the last applies.
    var position: UInt64
    /// The definitions, encoded as in the log.
    var bytes: [UInt8]
  }

  /// The waiting definitions, oldest first.
  private(set) var parts: [Part] = []
  /// Their size in bytes.
  private(set) var bytes = 0
  /// The definitions that were left out and that the trace does not report yet.
  private(set) var loss: TraceLoss?
  /// The tick up to which all losses have been reported.
  private var toldUntil: UInt64 = 0

  /// A program that keeps making streams while the disk is full must not grow without bound. The
  /// limit is enough for some forty thousand streams.
  static let most = 4 << 20

  /// Keeps a definition that is made when the log has reached `position`, or counts it as lost.
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

  /// Removes the first bytes of the oldest part, which are in the file now.
  mutating func written(_ count: Int) {
    parts[0].bytes.removeFirst(count)
    if parts[0].bytes.isEmpty { parts.removeFirst() }
    bytes -= count
  }

  /// Removes a loss that the file reports now.
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
