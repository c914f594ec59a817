internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat

extension OpenedTrace {
  /// The message that no event matches a selection, and what to try. What kinds were asked for says most
  /// about that.
  func nothingMatches(_ flags: SelectionOptions, _ chosen: Selection) -> String {
    let command = TraceCommand(names)
    let kinds = flags.kinds.joined(separator: ",")
    guard !kinds.isEmpty else {
      if !flags.thread.isEmpty {
        return "no event matches; \(command.line("info", "--threads")) lists the threads"
      }
      if !flags.scheduler.isEmpty {
        return "no event matches; \(command.line("latency")) lists the schedulers"
      }
      return "no event matches; \(command.line("streams")) lists what there is"
    }
    let isThere = reader.blocks.contains { chosen.kinds.mayIntersect($0.kinds) }
    if isThere, flags.choosesByMoreThanKinds {
      return "no event matches; all of these kinds: \(command.line("replay", "-k", kinds))"
    }
    let (reason, advice) =
      switch kinds {
      case "log":
        ("the trace has no log", "a program writes one with logEvents() or Trace.log(_:)")
      case "mark":
        ("the trace has no mark", "a program sets one with Recorder.mark(_:)")
      case "disposed" where isThere:
        ("nothing was disposed of", "how it ended: \(command.line("replay", "-k", "ended"))")
      default:
        (
          "the trace has none of kind \(kinds)",
          "how many it has of each: "
            + command.line("query", "SELECT kind, count(*) FROM events GROUP BY kind")
        )
      }
    return "no event matches: \(reason); \(advice)"
  }
}
