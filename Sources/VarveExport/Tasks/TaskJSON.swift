public import VarveAnalysis
internal import VarveProbe

/// Writes tasks as NDJSON, one object for each.
///
/// Keys: `task`, `name`, `kind`, `priority`, `parent`, `made_by`, `phase` (`running`, `enqueued`,
/// `suspended`, `ended`), `thread` (a running task's), `executor` (that of its latest run), `blocked`,
/// `cancelled`,
/// `failure` (the name of the error's type, of a task that has failed), `awaiting` (`continuation`, `task`, `group`, `actor`,
/// `sleep`, and of running tasks `lock`), `awaited_task`, `lock_holder` (a thread), `born_ns` and `since_ns` (times in the trace), `made_at` and `frames`:
/// `address`, `function`, `file`, `line`, `module`, `machinery`. The frames of a task that has failed are those that threw its
/// error. Unknown values are null.
public struct TaskJSON {
  private let words: TaskWords
  private let time: (UInt64) -> Int64?

  /// Prepares to write.
  ///
  /// - Parameters:
  ///   - symbols: The names of code, which has been looked up.
  ///   - time: Returns the time of a tick in nanoseconds.
  public init(symbols: Symbolizer, time: @escaping (UInt64) -> Int64? = { _ in nil }) {
    words = TaskWords(symbols: symbols, names: [:])
    self.time = time
  }

  /// Returns the line for a task.
  public func line(_ task: TaskState) -> String {
    let named = words.named(task)
    let made = words.symbols.named(task.made)
    return """
      {"task":\(task.id),"name":\(text(task.name)),"kind":\(text(task.making(by: made).rawValue)),\
      "priority":\(task.priority),"parent":\(number(task.parent)),"made_by":\(number(task.maker)),\
      "phase":\(text(task.phase.rawValue)),"thread":\(number(task.thread)),\
      "executor":\(text(task.executor)),"blocked":\(task.isBlocked),"cancelled":\(task.isCancelled),"failure":\(text(task.failure)),\
      "awaiting":\(text(words.awaited(named)?.rawValue)),\
      "awaited_task":\(number(task.awaitedTask)),"lock_holder":\(number(task.lockHolder)),\
      "born_ns":\(number(task.born.flatMap(time))),\
      "since_ns":\(number(task.since.flatMap(time))),"made_at":[\(frames(made))],\
      "frames":[\(frames(named.frames))]}

      """
  }

  private func frames(_ frames: [NamedFrame]) -> String { frames.map(frame).joined(separator: ",") }

  private func frame(_ frame: NamedFrame) -> String {
    """
    {"address":"0x\(String(frame.frame.address, radix: 16))","function":\(text(frame.function)),\
    "file":\(text(frame.file)),"line":\(frame.line == 0 ? "null" : String(frame.line)),\
    "module":\(text(frame.module)),"machinery":\(frame.isMachinery)}
    """
  }

  private func text(_ text: String?) -> String { text.map(JSONText.quoted) ?? "null" }

  private func number(_ number: (some BinaryInteger)?) -> String {
    number.map { "\($0)" } ?? "null"
  }
}
