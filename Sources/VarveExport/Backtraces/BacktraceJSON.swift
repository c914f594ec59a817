public import VarveAnalysis
public import VarveFormat
internal import VarveProbe

/// Writes asynchronous backtraces as NDJSON, one object per line.
///
/// Keys: `subject` (`thread`, `event` or `queued`), `thread`, `event` (the thread's last event, or
/// the requested one), `running` (hop ids, outermost first), `cut`, and `segments`: `scheduler`,
/// `hop`, `event`, `thread`, `time_ns`, `repeats`, and `frames`: `address`, `function`, `file`,
/// `line`, `module`, `inlined`, `machinery`. Unknown values are null. Where only the frames of the
/// program's own code are wanted, `machinery_frames` counts the others. Frames that would make a line
/// longer than a few mebibytes, or all lines together longer than a gibibyte, are left out, and the
/// line is marked as `cut`.
public struct BacktraceJSON {
  private let definitions: TraceDefinitions
  private let threads: ThreadNames
  private let time: TraceTime
  private let symbols: Symbolizer
  private let showsMachinery: Bool
  /// The bytes that remain for frames in the current line, and in all lines.
  private var leftOfLine = 0
  private var leftOfAll = 1 << 30

  private static let mostOfLine = 4 << 20

  /// Prepares to write; without `showsMachinery`, frames that are not of the program's code are
  /// only counted.
  public init(_ reader: TraceReader, symbols: Symbolizer, showsMachinery: Bool = true) {
    self.showsMachinery = showsMachinery
    definitions = reader.definitions
    threads = ThreadNames(reader.definitions.threads, pid: reader.header.process.pid)
    time = reader.time
    self.symbols = symbols
  }

  /// Returns the line that says what a thread was doing when the trace ended.
  public mutating func line(_ moment: ThreadMoment) -> String {
    leftOfLine = Self.mostOfLine
    let running = moment.running.map(String.init).joined(separator: ",")
    return """
      {"subject":"thread","thread":\(text(threads[moment.ring])),"event":\(name(moment.lastEvent)),\
      "running":[\(running)],"struck_at":[\(frames(moment.struck))],\(body(moment.backtrace))}

      """
  }

  /// Returns the line that says how an event came about.
  public mutating func line(_ backtrace: TracedBacktrace, of event: EventName) -> String {
    leftOfLine = Self.mostOfLine
    return "{\"subject\":\"event\",\"event\":\(event.json),\(body(backtrace))}\n"
  }

  /// Returns the line that says how work came to wait in a queue.
  public mutating func line(queued backtrace: TracedBacktrace) -> String {
    leftOfLine = Self.mostOfLine
    let event = name(backtrace.segments.first?.event)
    return "{\"subject\":\"queued\",\"event\":\(event),\(body(backtrace))}\n"
  }

  private mutating func body(_ backtrace: TracedBacktrace?) -> String {
    guard let backtrace else { return "\"cut\":false,\"segments\":[]" }
    let segments = backtrace.segments.map { segment($0) }.joined(separator: ",")
    let isCut = backtrace.isCut || leftOfLine == 0 || leftOfAll == 0
    return "\"cut\":\(isCut),\"segments\":[\(segments)]"
  }

  private mutating func segment(_ segment: TracedBacktrace.Segment) -> String {
    let scheduler = segment.scheduler.map { definitions.schedulers[$0]?.name ?? "scheduler \($0)" }
    let nanoseconds = segment.ticks.map { time.nanoseconds(sinceStart: $0) }
    let hidden =
      showsMachinery
      ? "" : "\"machinery_frames\":\(symbols.named(segment.frames).count { $0.isMachinery }),"
    return """
      {"scheduler":\(text(scheduler)),"hop":\(segment.hop),"event":\(name(segment.event)),\
      "thread":\(text(segment.ring.map { threads[$0] })),"time_ns":\(number(nanoseconds)),\
      "repeats":\(segment.repeats),\(hidden)"frames":[\(frames(segment.frames))]}
      """
  }

  private mutating func frames(_ stack: [StackFrame]) -> String {
    var text = ""
    guard leftOfLine > 0, leftOfAll > 0 else { return text }
    for frame in symbols.named(stack) where showsMachinery || !frame.isMachinery {
      let object = object(frame)
      guard object.utf8.count <= leftOfAll else {
        leftOfAll = 0
        break
      }
      guard object.utf8.count <= leftOfLine else {
        leftOfLine = 0
        break
      }
      leftOfLine -= object.utf8.count
      leftOfAll -= object.utf8.count
      text += (text.isEmpty ? "" : ",") + object
    }
    return text
  }

  private func object(_ frame: NamedFrame) -> String {
    """
    {"address":"\(AddressText.of(frame.frame.address))","function":\(text(frame.function)),\
    "file":\(text(frame.file)),"line":\(frame.line == 0 ? "null" : String(frame.line)),\
    "module":\(text(frame.module)),"inlined":\(frame.isInlined),"machinery":\(frame.isMachinery)}
    """
  }

  private func text(_ text: String?) -> String { text.map(JSONText.quoted) ?? "null" }
  private func name(_ event: EventName?) -> String { event?.json ?? "null" }

  private func number(_ number: (some BinaryInteger)?) -> String {
    number.map { "\($0)" } ?? "null"
  }
}
