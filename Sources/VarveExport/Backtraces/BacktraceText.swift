public import VarveAnalysis
public import VarveFormat
internal import VarveMarbles
internal import VarveProbe

/// Writes asynchronous backtraces for people.
public struct BacktraceText {
  private let definitions: TraceDefinitions
  private let threads: ThreadNames
  private let time: TraceTime
  private let symbols: Symbolizer
  private let showsAll: Bool
  private let style: OutputStyle

  /// Prepares to write.
  ///
  /// - Parameter showsAll: whether the frames of the machinery are shown, too.
  public init(
    _ reader: TraceReader, symbols: Symbolizer, showsAll: Bool = false, style: OutputStyle
  ) {
    definitions = reader.definitions
    threads = ThreadNames(reader.definitions.threads, pid: reader.header.process.pid)
    time = reader.time
    self.symbols = symbols
    self.showsAll = showsAll
    self.style = style
  }

  /// What a thread was doing when the trace ended.
  public func text(_ moment: ThreadMoment) -> String {
    var title = "thread \(threads[moment.ring])"
    if let event = moment.lastEvent { title += ", last event #\(event)" }
    if let tick = moment.lastTick { title += " at \(elapsed(tick))" }
    var lines = [style.paint(safe(title), .scheduler)]
    if let counter = moment.programCounter {
      lines += ["  struck at"] + frames([StackFrame(address: counter, isResumption: true)], "    ")
    }
    if let backtrace = moment.backtrace {
      lines += self.lines(backtrace, first: "running")
    } else {
      lines.append(
        "  \(moment.running.isEmpty ? "running nothing of a scheduler's" : "running work")")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// How something came to run.
  public func text(_ backtrace: TracedBacktrace, title: String) -> String {
    ([style.paint(safe(title), .scheduler)] + lines(backtrace, first: "it runs"))
      .joined(separator: "\n") + "\n"
  }

  private func lines(_ backtrace: TracedBacktrace, first: String) -> [String] {
    var lines: [String] = []
    for segment in backtrace.segments {
      lines.append("  " + heading(segment, first: first))
      lines += segment.frames.isEmpty ? ["    (no stack)"] : frames(segment.frames, "    ")
    }
    if backtrace.isCut { lines.append("  older hops are not shown") }
    return lines
  }

  private func heading(_ segment: TracedBacktrace.Segment, first: String) -> String {
    guard let scheduler = segment.scheduler else { return "\(first) in" }
    let name = definitions.schedulers[scheduler]?.name ?? "scheduler \(scheduler)"
    var heading = "scheduled on \(safe(name))"
    if let event = segment.event {
      heading += " (#\(event)"
    } else {
      heading += " (before the trace"
    }
    if let ring = segment.ring, segment.event != nil {
      heading += ", thread \(safe(threads[ring]))"
    }
    if let ticks = segment.ticks, segment.event != nil { heading += ", at \(elapsed(ticks))" }
    heading += ")"
    if segment.repeats > 0 { heading += ", and \(segment.repeats) times before," }
    return heading + " by"
  }

  private func frames(_ stack: [StackFrame], _ indent: String) -> [String] {
    var lines: [String] = []
    var folded = 0
    func unfold() {
      if folded > 0 {
        lines.append(
          "\(indent)(\(Counted.text(UInt64(folded), "frame", "frames")) of the machinery)")
      }
      folded = 0
    }
    for line in NamedFrame.all(stack, symbols) {
      if line.isMachinery && !showsAll {
        folded += 1
      } else {
        unfold()
        lines.append(indent + safe(line.text))
      }
    }
    unfold()
    return lines
  }

  private func elapsed(_ tick: UInt64) -> String {
    ElapsedTime.exact(nanoseconds: UInt64(max(0, time.nanoseconds(sinceStart: tick))))
  }

  private func safe(_ text: String) -> String { TerminalText.escaped(text) }
}

/// A frame with what is known of it.
struct NamedFrame {
  var frame: StackFrame
  var function: String?
  var file: String?
  var line: UInt32
  var module: String?
  var isInlined: Bool
  var isMachinery: Bool

  /// The frames of a stack, each with the functions that were inlined into it before it.
  static func all(_ stack: [StackFrame], _ symbols: Symbolizer) -> [NamedFrame] {
    stack.flatMap { frame in
      let module = symbols.module(at: frame.lookup)?.path
      let ofRunner = module.map(FunctionKind.isOfMachinery(image:)) ?? false
      let functions = symbols.functions(at: frame)
      guard !functions.isEmpty else {
        return [
          NamedFrame(
            frame: frame, function: nil, file: nil, line: 0, module: module, isInlined: false,
            isMachinery: ofRunner)
        ]
      }
      return functions.enumerated().map { index, place in
        NamedFrame(
          frame: frame, function: place.function, file: place.file, line: place.line,
          module: module, isInlined: index < functions.count - 1,
          isMachinery: ofRunner || FunctionKind.isMachinery(place.function, file: place.file))
      }
    }
  }

  /// `Search.run() at /src/Search.swift:12`, or where the code lies when it has no name.
  var text: String {
    guard let function else {
      let name = module.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
      return "0x" + String(frame.address, radix: 16) + (name.map { " in \($0)" } ?? "")
    }
    guard let file else { return function }
    return "\(function) at \(file):\(line)"
  }
}
