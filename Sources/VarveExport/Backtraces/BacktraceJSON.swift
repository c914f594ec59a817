public import VarveAnalysis
public import VarveFormat
internal import VarveProbe

/// Writes asynchronous backtraces as NDJSON, an object a line.
///
/// Keys: `subject` (`thread`, `event` or `queued`), `thread`, `event` (the thread's last, or the one that
/// was asked for), `running` (hop ids, outermost first), `cut`, and `segments`: `scheduler`, `hop`,
/// `event`, `thread`, `time_ns`, `repeats`, and `frames`: `address`, `function`, `file`, `line`,
/// `module`, `inlined`, `machinery`. What is not known is null.
public struct BacktraceJSON {
  private let definitions: TraceDefinitions
  private let threads: ThreadNames
  private let time: TraceTime
  private let symbols: Symbolizer

  /// Prepares to write.
  public init(_ reader: TraceReader, symbols: Symbolizer) {
    definitions = reader.definitions
    threads = ThreadNames(reader.definitions.threads, pid: reader.header.process.pid)
    time = reader.time
    self.symbols = symbols
  }

  /// What a thread was doing when the trace ended.
  public func line(_ moment: ThreadMoment) -> String {
    let running = moment.running.map(String.init).joined(separator: ",")
    return """
      {"subject":"thread","thread":\(text(threads[moment.ring])),"event":\(number(moment.lastEvent)),\
      "running":[\(running)],"struck_at":[\(frames(moment.struck))],\(body(moment.backtrace))}

      """
  }

  /// How an event came about.
  public func line(_ backtrace: TracedBacktrace, ofEvent event: UInt64) -> String {
    "{\"subject\":\"event\",\"event\":\(event),\(body(backtrace))}\n"
  }

  /// How something came to wait in a queue.
  public func line(queued backtrace: TracedBacktrace) -> String {
    "{\"subject\":\"queued\",\"event\":\(number(backtrace.segments.first?.event)),\(body(backtrace))}\n"
  }

  private func body(_ backtrace: TracedBacktrace?) -> String {
    guard let backtrace else { return "\"cut\":false,\"segments\":[]" }
    let segments = backtrace.segments.map(segment).joined(separator: ",")
    return "\"cut\":\(backtrace.isCut),\"segments\":[\(segments)]"
  }

  private func segment(_ segment: TracedBacktrace.Segment) -> String {
    let scheduler = segment.scheduler.map { definitions.schedulers[$0]?.name ?? "scheduler \($0)" }
    let nanoseconds = segment.ticks.map { time.nanoseconds(sinceStart: $0) }
    return """
      {"scheduler":\(text(scheduler)),"hop":\(segment.hop),"event":\(number(segment.event)),\
      "thread":\(text(segment.ring.map { threads[$0] })),"time_ns":\(number(nanoseconds)),\
      "repeats":\(segment.repeats),"frames":[\(frames(segment.frames))]}
      """
  }

  private func frames(_ stack: [StackFrame]) -> String {
    symbols.named(stack).map { frame in
      """
      {"address":"0x\(String(frame.frame.address, radix: 16))","function":\(text(frame.function)),\
      "file":\(text(frame.file)),"line":\(frame.line == 0 ? "null" : String(frame.line)),\
      "module":\(text(frame.module)),"inlined":\(frame.isInlined),"machinery":\(frame.isMachinery)}
      """
    }.joined(separator: ",")
  }

  private func text(_ text: String?) -> String { text.map(JSONText.quoted) ?? "null" }
  private func number(_ number: (some BinaryInteger)?) -> String {
    number.map { "\($0)" } ?? "null"
  }
}
