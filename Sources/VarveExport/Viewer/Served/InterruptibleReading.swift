internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// The reading of traces whose blocks cannot be read any more when nobody waits for what is made of
/// them: so every analysis can be cancelled, and tells how far it is.
final class InterruptibleReading: Sendable {
  private struct State {
    var progress: ViewerProgress
    var read: UInt64 = 0
    var isOver = false
  }

  private let state: Lock<State>

  /// - Parameters:
  ///   - events: the number of events that will be read, each as often as it is.
  ///   - period: how often to tell.
  init(
    _ messages: ViewerMessages, of events: UInt64, period: Duration = ViewerProgress.usualPeriod
  ) {
    state = Lock(State(progress: ViewerProgress(messages, of: events, period: period)))
  }

  /// Whether the analysis was interrupted, so that what it found is worthless.
  var isInterrupted: Bool { state.withLock { $0.isOver } }

  /// The same trace, to be read by analyses. They may read ahead on another thread.
  func callAsFunction(_ reader: TraceReader) -> TraceReader {
    let counts = reader.blocks.map { UInt64($0.count) }
    return reader.reading { [self] block, columns in
      state.withLock { state in
        if !state.isOver { state.isOver = !state.progress.goesOn(state.read) }
        // Of a block, the times are read once a pass.
        if columns.contains(.ticks) { state.read += counts[block] }
        return !state.isOver
      }
    }
  }
}
