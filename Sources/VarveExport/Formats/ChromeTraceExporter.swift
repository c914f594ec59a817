public import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// Writes Chrome's JSON trace format, which Perfetto's viewer and `about:tracing` open.
///
/// Each thread is a track. Work on a scheduler is a slice; an event of a stream is an instant with
/// its value and cause. An arrow leads from where work was scheduled to where it began.
public struct ChromeTraceExporter: TraceExporter {
  private let output: ByteOutput
  private let words: TraceWords
  private let pid: UInt32
  private let program: String
  private var isFirst = true
  /// The hops whose beginning was written but not their end, so that only begun slices end.
  private var begun: WalkTable<UInt64, Void>

  /// Prepares to export.
  public init(_ words: TraceWords, pid: UInt32, program: String, output: ByteOutput) {
    self.words = words
    self.pid = pid
    self.program = program
    self.output = output
    begun = .hops(words.walk)
  }

  /// The work that could not be remembered until its end.
  public var passedOver: PassedOver { words.walk.passedOver }

  /// Names the process and its threads.
  public mutating func begin() {
    output.write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[")
    put(
      JSONMembers().adding("ph", "\"M\"").adding("pid", String(pid)).adding("tid", "0")
        .adding("name", "\"process_name\"")
        .adding("args", JSONMembers().adding("name", JSONText.quoted(program)).text))
    for ring in words.definitions.threads.keys.sorted() {
      let name = JSONMembers().adding("name", JSONText.quoted(words.thread(ring))).text
      put(
        JSONMembers().adding("ph", "\"M\"").adding("pid", String(pid)).adding("tid", String(ring))
          .adding("name", "\"thread_name\"").adding("args", name))
    }
  }

  /// Writes the beginning or end of a slice, an end of an arrow, or an instant.
  public mutating func write(_ event: TraceEvent) {
    guard let kind = event.kind else { return }
    switch kind {
    case .hopScheduled:
      // An arrow must begin inside a slice; this one exists for it.
      let name = JSONText.quoted("give to \(words.scheduler(event.stream))")
      put(head("X", event).adding("name", name).adding("dur", "0.001").adding("cat", "\"hop\""))
      put(flow("s", event))
    case .hopBegan:
      guard begun.set((), for: event.subscription) else { return }
      let name = JSONText.quoted(words.scheduler(event.stream))
      put(
        head("B", event).adding("name", name).adding("cat", "\"hop\"")
          .adding("args", arguments(of: event)))
      put(flow("f", event).adding("bp", "\"e\""))
    case .hopEnded:
      if begun.removeValue(forKey: event.subscription) != nil { put(head("E", event)) }
    case .value, .failed, .completed, .interrupted, .absorbed, .log, .mark:
      let name = kind == .value ? words.stream(event.stream) : words.phrase(event)
      put(
        head("i", event).adding("name", JSONText.quoted(name)).adding("s", "\"t\"")
          .adding("cat", "\"\(kind.name)\"").adding("args", arguments(of: event)))
    case .assembled, .subscribed, .ended, .hopCancelled, .skipped, .sent,
      .waitBegan, .waitEnded, .read:
      break
    }
  }

  /// Closes the array.
  public mutating func end() { output.write("\n]}\n") }

  private func head(_ phase: String, _ event: TraceEvent) -> JSONMembers {
    JSONMembers().adding("ph", "\"\(phase)\"").adding("pid", String(pid))
      .adding("tid", String(event.ring)).adding(
        "ts", Self.microseconds(words.nanoseconds(event.ticks)))
  }

  private func flow(_ phase: String, _ event: TraceEvent) -> JSONMembers {
    head(phase, event).adding("name", "\"hop\"").adding("cat", "\"hop\"")
      .adding("id", String(event.subscription))
  }

  private func arguments(of event: TraceEvent) -> String {
    var members = JSONMembers().adding("event", event.name.json)
      .adding("value", EventObject.value(event.payload).json)
    if let cause = event.causes.first { members = members.adding("cause", cause.json) }
    if let place = words.places.exact(event.stream), !event.isHop {
      members = members.adding("place", JSONText.quoted("\(place.file):\(place.line)"))
    }
    return members.text
  }

  /// Returns microseconds with three decimals, computed without floating point.
  static func microseconds(_ nanoseconds: Int64) -> String {
    let magnitude = nanoseconds.magnitude
    let decimals = String(magnitude % 1_000 + 1_000).dropFirst()
    return "\(nanoseconds < 0 ? "-" : "")\(magnitude / 1_000).\(decimals)"
  }

  private mutating func put(_ members: JSONMembers) {
    output.write((isFirst ? "\n" : ",\n") + members.text)
    isFirst = false
  }
}
