import Measurement
import VarveFormat
import VarveProbe

/// What a trace file needs for an event, and what it would need at least.
public struct TraceMeasure {
  /// The file's bytes for an event.
  public let bytesPerEvent: Double
  /// Bytes that the steps from tick to tick and from payload to payload hold.
  public let entropyPerEvent: Double
  /// Events that the recorder had no room for.
  public let dropped: UInt64

  /// Measures a finished trace.
  public init(path: String) throws {
    let trace = try TraceReader(path: path)
    bytesPerEvent = Double(trace.bytes) / Double(trace.events)
    entropyPerEvent = try Self.entropy(of: trace)
    dropped = trace.losses.reduce(0) { $0 + $1.count }
  }

  private static func entropy(of trace: TraceReader) throws -> Double {
    var ticks = Entropy()
    var payloads = Entropy()
    var last: (tick: UInt64, payload: UInt64) = (0, 0)
    var columns = EventColumns()
    for block in trace.blocks.indices {
      try trace.decode(block, into: &columns, columns: [.ticks, .kinds, .payloads])
      for event in 0..<columns.count where columns.kinds[event] == RecordKind.value.rawValue {
        ticks.add(columns.ticks[event] &- last.tick)
        payloads.add(columns.words[event] &- last.payload)
        last = (columns.ticks[event], columns.words[event])
      }
    }
    return ticks.bytes + payloads.bytes
  }
}
