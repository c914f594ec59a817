import VarveFormat
import VarveProbe

/// A trace with what came into format 1.7: the processes whose recordings were merged. Like the other
/// golden traces it never changes.
struct GoldenProcesses {
  let header = TraceHeader.sample(anchor: ClockAnchor(ticks: 1_000, monotonic: 1_000))

  /// The second one's host is not known.
  let processes = [
    ProcessDefinition(
      recording: 1,
      process: ProcessDescription(
        program: "/usr/bin/shop", arguments: [], pid: 4711, host: "ladentheke-ü",
        started: 1_700_000_000_000_000_001)),
    ProcessDefinition(
      recording: 2,
      process: ProcessDescription(
        program: "/usr/bin/till", arguments: [], pid: .max, host: "",
        started: 1_700_000_000_000_000_002
      )),
  ]

  /// A record of each.
  func records(_ recording: UInt32) -> RecordBytes {
    var records = RecordBytes()
    records.add(ticks: 2_000 + UInt64(recording))
    return records
  }

  /// Writes the trace.
  func write(to path: String) throws {
    let writer = try TraceWriter(creating: path, header: header)
    try writer.append(definitions: processes.map { .process($0) })
    for recording in [1, 2] as [UInt32] {
      try writer.append(records(recording), ring: recording << 24 | 1)
    }
    try writer.finish(ending: .clean)
  }
}
