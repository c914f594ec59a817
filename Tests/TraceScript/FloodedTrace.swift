public import VarveFormat
public import VarveProbe

/// A trace of a great many records in a few kilobytes: each differs from the one before by the same.
public enum FloodedTrace {
  /// One of the records.
  public struct Record: Sendable {
    /// What it tells.
    public var kind: RecordKind
    let stream: UInt32
    let subscription: UInt64
    let payload: PayloadKind
    let word: UInt64

    /// What a record tells.
    public init(
      _ kind: RecordKind, of stream: UInt32, subscription: UInt64 = 0,
      _ payload: PayloadKind = .integer, _ word: UInt64 = 0
    ) {
      (self.kind, self.stream, self.subscription) = (kind, stream, subscription)
      (self.payload, self.word) = (payload, word)
    }
  }

  private static let blockEvents: UInt64 = 16_384

  /// Writes a trace of full blocks, with at least so many records; returns how many there are.
  @discardableResult
  public static func write(
    to path: String, events: UInt64, definitions: [TraceDefinition] = [],
    _ record: (UInt64) -> Record
  ) throws -> UInt64 {
    let process = ProcessDescription(
      program: "/usr/bin/flood", arguments: [], pid: 1, host: "h", started: 1)
    let writer = try TraceWriter(
      creating: path,
      header: TraceHeader(
        id: .random(), process: process, clock: .monotonic,
        anchor: ClockAnchor(ticks: 0, monotonic: 0)))
    try writer.append(definitions: definitions)
    let blocks = (events + blockEvents - 1) / blockEvents
    for block in 0..<blocks {
      let first = block * blockEvents + 1
      let words = (first..<first + blockEvents).flatMap { number in
        let record = record(number)
        let kind = UInt64(record.kind.rawValue) << 8 | UInt64(record.payload.rawValue) << 16
        return [
          5 | kind | UInt64(record.stream) << 32, number * 100, number & 0xffff_ffff,
          record.subscription, record.word,
        ]
      }
      try words.withUnsafeBytes { try writer.append(records: $0, ring: 1, firstSequence: first) }
    }
    try writer.finish(ending: .clean)
    return blocks * blockEvents
  }
}
