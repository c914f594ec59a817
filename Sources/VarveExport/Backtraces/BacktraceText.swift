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
  private let machinery: Machinery
  private let style: OutputStyle

  /// The treatment of frames that are not part of the user's code.
  public enum Machinery: Sendable {
    /// Shown like any other frame.
    case shown
    /// Counted, not shown.
    case counted
    /// Hidden; files are given by name, without their directories.
    case hidden
  }

  /// Prepares to write.
  public init(
    _ reader: TraceReader, symbols: Symbolizer, machinery: Machinery = .counted, style: OutputStyle
  ) {
    definitions = reader.definitions
    threads = ThreadNames(reader.definitions.threads, pid: reader.header.process.pid)
    time = reader.time
    self.symbols = symbols
    self.machinery = machinery
    self.style = style
  }

  /// Describes what a thread was doing when the trace ended.
  public func text(_ moment: ThreadMoment) -> String {
    var lines = [style.paint(title(moment), .scheduler)] + self.lines(moment)
    if moment.backtrace == nil {
      lines.append(
        "  \(moment.running.isEmpty ? "running nothing of a scheduler's" : "running work")")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the line above what a thread was doing. In a narrow terminal its name shortens, never
  /// the event.
  private func title(_ moment: ThreadMoment) -> String {
    let event = moment.lastEvent.map { ", last event #\($0)" } ?? ""
    let time = moment.lastTick.map { " at \(elapsed($0))" } ?? ""
    let name = threads.numbered(moment.ring)
    guard name.hasSuffix(")"), let open = name.firstIndex(of: "(") else {
      return style.fitting(safe(name)) { "thread \($0)\(event)\(time)" }
    }
    let number = safe(String(name[..<open]))
    let own = safe(String(name[open...].dropFirst().dropLast()))
    return style.fitting(own) { "thread \(number)(\($0))\(event)\(time)" }
  }

  /// Returns where a signal struck the thread and how its work came to run, one entry per line.
  func lines(_ moment: ThreadMoment) -> [String] {
    struck(moment.struck) + (moment.backtrace.map { lines($0, first: "running") } ?? [])
  }

  /// Returns where a signal struck, one entry per line; empty if no signal did.
  func struck(_ stack: [StackFrame]) -> [String] {
    guard !stack.isEmpty else { return [] }
    let code = frames(stack, "    ")
    // Without a frame of the user's code, the number of frames still shows that there were some.
    let count = Counted.text(UInt64(stack.count), "frame", "frames")
    return ["  struck at"] + (code.isEmpty ? ["    (\(count) of the machinery)"] : code)
  }

  /// Describes how an event or a piece of work came about.
  public func text(_ backtrace: TracedBacktrace, title: String) -> String {
    ([style.paint(safe(title), .scheduler)] + lines(backtrace, first: "it runs"))
      .joined(separator: "\n") + "\n"
  }

  private func lines(_ backtrace: TracedBacktrace, first: String) -> [String] {
    var lines: [String] = []
    for segment in backtrace.segments {
      let code = segment.frames.isEmpty ? ["    (no stack)"] : frames(segment.frames, "    ")
      let isHidden = machinery == .hidden && (code.isEmpty || segment.frames.isEmpty)
      let end = isHidden ? "" : segment.scheduler == nil ? " in" : " by"
      lines.append(fittingHeading(segment, first: first, end: end))
      if !isHidden { lines += code }
    }
    if backtrace.isCut { lines.append("  older hops are not shown") }
    return lines
  }

  /// Returns the line above the frames of a segment. In a narrow terminal the time goes and names
  /// shorten, never the event.
  private func fittingHeading(
    _ segment: TracedBacktrace.Segment, first: String, end: String
  ) -> String {
    let name = segment.scheduler.map {
      safe(definitions.schedulers[$0]?.name ?? "scheduler \($0)")
    }
    let whole = "  " + heading(segment, on: name, first: first, isShort: false) + end
    guard let name, !style.fits([whole]) else { return style.fitted(whole) }
    return style.fitting(name) {
      "  " + heading(segment, on: $0, first: first, isShort: true) + end
    }
  }

  private func heading(
    _ segment: TracedBacktrace.Segment, on scheduler: String?, first: String, isShort: Bool
  ) -> String {
    guard let scheduler else { return first }
    var heading = "scheduled on \(scheduler)"
    if let event = segment.event {
      heading += " (#\(event)"
    } else {
      heading += " (before the trace"
    }
    if let ring = segment.ring, segment.event != nil {
      let thread = safe(threads[ring])
      heading += isShort ? ", \(style.middleShort(thread, to: 16))" : ", thread \(thread)"
    }
    if !isShort, let ticks = segment.ticks, segment.event != nil {
      heading += ", at \(elapsed(ticks))"
    }
    heading += ")"
    if segment.repeats > 0 { heading += ", and \(segment.repeats) times before," }
    return heading
  }

  /// The number of frames of a stack that are shown although nothing is known but their addresses.
  private static let mostNameless = 3

  private func frames(_ stack: [StackFrame], _ indent: String) -> [String] {
    var lines: [String] = []
    var folded = (machinery: 0, nameless: 0)
    var nameless = 0
    func unfold() {
      if folded.machinery > 0 {
        let count = Counted.text(UInt64(folded.machinery), "frame", "frames")
        lines.append("\(indent)(\(count) of the machinery)")
      }
      if folded.nameless > 0 {
        let count = Counted.text(UInt64(folded.nameless), "more frame", "more frames")
        let hint = machinery == .counted ? "; --all-frames shows them" : ""
        lines.append("\(indent)(\(count) without a name\(hint))")
      }
      folded = (0, 0)
    }
    for frame in symbols.named(stack) {
      if machinery != .shown, frame.isMachinery {
        guard machinery == .counted else { continue }
        if folded.nameless > 0 { unfold() }
        folded.machinery += 1
        continue
      }
      nameless += frame.function == nil ? 1 : 0
      if machinery != .shown, frame.function == nil, nameless > Self.mostNameless {
        if folded.machinery > 0 { unfold() }
        folded.nameless += 1
        continue
      }
      unfold()
      lines.append(line(frame, isShort: machinery == .hidden, indent))
    }
    unfold()
    return lines
  }

  /// Returns the line of a frame; where only a part of it fits, with the file's name only.
  private func line(_ frame: NamedFrame, isShort: Bool, _ indent: String) -> String {
    let whole = indent + safe(isShort ? frame.shortText : frame.text)
    guard !style.fits([whole]) else { return whole }
    guard let function = frame.function, let file = frame.file?.split(separator: "/").last else {
      return style.fitted(whole)
    }
    return style.codeLine(safe(function), at: safe("\(file):\(frame.line)"), indent: indent)
  }

  private func elapsed(_ tick: UInt64) -> String {
    ElapsedTime.exact(nanoseconds: UInt64(max(0, time.nanoseconds(sinceStart: tick))))
  }

  private func safe(_ text: String) -> String { style.escaped(text) }
}

extension NamedFrame {
  /// `Search.run() at /src/Search.swift:12`, or the address and module if the function is unknown.
  var text: String {
    guard let function else {
      let name = module.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
      return AddressText.of(frame.address) + (name.map { " in \($0)" } ?? "")
    }
    guard let file else { return function }
    return "\(function) at \(file):\(line)"
  }

  /// The same with the file's name only, without its directory.
  var shortText: String {
    guard let function, let name = file?.split(separator: "/").last else { return text }
    return "\(function) at \(name):\(line)"
  }
}
