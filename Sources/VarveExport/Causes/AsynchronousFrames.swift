internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// The asynchronous frames behind an event: for each piece of work on the way to it, the program's
/// own frames of the code that scheduled it. The frames of libraries are left out, and of many, only
/// the innermost are shown.
struct AsynchronousFrames {
  let words: TraceWords
  let lookup: EventLookup

  /// The number of pieces of work that are shown.
  private static let mostPieces = 6
  /// The number of frames that are shown of each.
  private static let mostFrames = 3

  /// Returns the lines; empty when no work led to the event, or the trace has no stacks of it.
  func lines(_ path: CausalPath) -> [String] {
    let work = path.steps.filter { $0.depth == 0 && !$0.wasShown }.compactMap { step in
      step.scheduled.map { (scheduler: step.event.stream, scheduled: $0) }
    }
    let shown = work.prefix(Self.mostPieces).map { piece in
      (piece.scheduler, piece.scheduled, frames: words.scheduling(frames: piece.scheduled, lookup))
    }
    // A single frame stands beside the step already.
    guard let effect = path.steps.first?.event, shown.contains(where: { $0.frames.count > 1 })
    else { return [] }
    let title = "the asynchronous stack of #\(effect.name), by frames of the program's own:"
    let left = work.count - shown.count
    let rest = left > 0 ? ["  " + words.style.paint("\(words.ellipsis) \(left) more", .dim)] : []
    return [""] + words.style.wrapped(title, indent: 0) + shown.flatMap { entry($0, $1, $2) } + rest
  }

  private func entry(
    _ scheduler: UInt32, _ scheduled: TraceEvent, _ frames: [(function: String, place: String)]
  ) -> [String] {
    let (name, thread) = (words.scheduler(scheduler), words.thread(scheduled.ring))
    func heading(_ name: String, _ thread: String) -> String {
      "  on \(name), scheduled by #\(scheduled.name) on \(thread)"
    }
    let shownThread =
      words.style.fits([heading(name, thread)]) ? thread : words.style.middleShort(thread, to: 16)
    let heading = words.style.fitting(name) { heading($0, shownThread) }
    let shown = frames.prefix(Self.mostFrames).map {
      words.style.codeLine($0.function, at: $0.place, indent: "    ")
    }
    let left = frames.count - shown.count
    let rest = left > 0 ? ["    " + words.style.paint("\(words.ellipsis) \(left) more", .dim)] : []
    return [words.style.fitted(words.style.paint(heading, .scheduler))] + shown + rest
  }
}
