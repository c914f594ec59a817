internal import VarveAnalysis
internal import VarveFormat

/// A trace whose blocks cannot be read any more when nobody waits for what is made of them: so every
/// analysis can be cancelled, and tells how far it is.
struct InterruptibleSource: EventSource {
  private let reader: TraceReader
  private let progress: ViewerProgress
  private let state: State

  private final class State {
    var read: UInt64 = 0
    var isOver = false
  }

  /// - Parameter passes: how often the analysis reads the trace.
  init(_ reader: TraceReader, _ messages: ViewerMessages, passes: UInt64 = 1) {
    self.reader = reader
    progress = ViewerProgress(messages, of: reader.events * passes)
    state = State()
  }

  /// Whether the analysis was interrupted, so that what it found is worthless.
  var isInterrupted: Bool { state.isOver }

  func decode(
    _ index: Int, into columns: inout EventColumns, columns wanted: ColumnSet
  ) throws(TraceFileError) {
    if !state.isOver { state.isOver = !progress.goesOn(state.read) }
    guard !state.isOver else { throw TraceFileError(.unreadable, "it was cancelled") }
    // Of a block, the times are read once a pass.
    if wanted.contains(.ticks) { state.read += UInt64(reader.blocks[index].count) }
    try reader.decode(index, into: &columns, columns: wanted)
  }

  var blocks: [BlockSummary] { reader.blocks }
  var definitions: TraceDefinitions { reader.definitions }
  var time: TraceTime { reader.time }
  var started: UInt64 { reader.started }
  var pid: UInt32 { reader.pid }
  var losses: [TraceLoss] { reader.losses }
  var bytes: UInt64 { reader.bytes }
  func block(of event: EventName) -> Int? { reader.block(of: event) }
}
