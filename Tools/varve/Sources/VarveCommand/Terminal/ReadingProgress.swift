internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// The progress of reading a trace, whatever reads it. A verb that shows a progress of its own takes
/// the place of this one.
enum ReadingProgress {
  private struct State {
    var progress: Progress?
    /// How far the trace was read when a block was read last.
    var last: UInt64 = 0
  }

  private static let state = Lock(State())

  /// Begins to show how far a trace was read. Where it is read again, the line begins again.
  static func begin(of reader: TraceReader, isQuiet: Bool) {
    guard !isQuiet, Progress.mayBeShown, let span = TraceSpan(of: reader).ticks else { return }
    let progress = Progress("reading", isQuiet: false)
    state.withLock { $0 = State(progress: progress) }
    let ticks = reader.blocks.map(\.ticks.upperBound)
    reader.watch { block in
      let done = ticks[block] - min(span.lowerBound, ticks[block])
      show(done, of: span.upperBound - span.lowerBound)
    }
  }

  private static func show(_ done: UInt64, of all: UInt64) {
    state.withLock { state in
      if done < state.last / 2 { state.progress?.beginAgain() }
      state.last = done
      state.progress?.show(done, of: all)
    }
  }

  /// Shows no progress from now on, since something else is shown.
  static func end() {
    state.withLock { state in
      state.progress?.clear()
      state.progress = nil
    }
  }
}
