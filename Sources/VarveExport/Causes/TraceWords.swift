public import VarveAnalysis
internal import VarveFormat
internal import VarveMarbles
internal import VarveProbe

/// The words for the parts of a trace in a sentence or a table: events, streams, threads, moments.
/// All texts that it returns are safe to print.
public struct TraceWords {
  let definitions: TraceDefinitions
  let places: StreamPlaces
  private(set) var style: OutputStyle
  let threads: ThreadNames
  /// The processes, if the trace has several.
  let processes: ProcessNames
  let time: TraceTime
  private let duration: UInt64
  private let symbols: Symbolizer?
  /// The names of tasks, by number, as far as they are needed.
  public var taskNames: [UInt64: String] = [:]
  /// Whether long values are told in full.
  public var keepsValues = false
  /// The walk that limits what exporters using these words remember.
  let walk: TraceWalk

  /// The greatest number of columns for a value.
  private static let widestValue = 60
  /// The number of characters of a long value's end that are shown.
  private static let endOfValue = 12

  /// Prepares the words of a trace. If `symbols` is given, it names the code that created and
  /// observed the streams.
  public init(
    _ source: some EventSource, pid: UInt32, style: OutputStyle, symbols: Symbolizer? = nil
  ) {
    definitions = source.definitions
    places = StreamPlaces(source.definitions, symbols: symbols)
    self.symbols = symbols
    threads = ThreadNames(source.definitions.threads, pid: pid)
    processes = ProcessNames(source.definitions.threads.values)
    time = source.time
    duration = TraceSpan(of: source).duration
    self.style = style
    walk = TraceWalk(source)
  }

  /// The same words for lines that are indented.
  func indented(by columns: Int) -> TraceWords {
    var words = self
    words.style = style.indented(by: columns)
    return words
  }

  var ellipsis: String { style.ascii ? ".." : "…" }
  var arrow: String { style.ascii ? "<-" : "←" }
  /// What stands before the one place to look at.
  var mark: String { style.ascii ? "> " : "▸ " }

  // MARK: - Names

  /// The whole name of a stream.
  func stream(_ id: UInt32) -> String {
    definitions.streams[id].map { style.name($0.name) }
      ?? (id == 0 ? "no stream" : "stream \(id)")
  }

  /// The part of a stream's name that the stream feeding it does not already say: `….map(_:)`.
  func shortStream(_ id: UInt32) -> String {
    guard let stream = definitions.streams[id], !stream.isNamed else { return self.stream(id) }
    let short = ShortName.text(of: stream, in: definitions.streams, ellipsis: ellipsis)
    return style.escaped(short)
  }

  /// What a stream does, without the streams that it was made from: `take(first: 1)`.
  func operatorName(_ id: UInt32) -> String {
    guard let stream = definitions.streams[id] else { return self.stream(id) }
    return style.escaped(ShortName.step(of: stream, in: definitions.streams))
  }

  func scheduler(_ id: UInt32) -> String {
    definitions.schedulers[id].map { style.name($0.name) } ?? "scheduler \(id)"
  }

  /// `task 3 "waiter"`.
  func task(_ id: UInt64) -> String {
    taskNames[id].map { "task \(id) \"\(style.escaped($0))\"" } ?? "task \(id)"
  }

  func thread(_ ring: UInt32) -> String { style.name(threads[ring]) }

  /// A thread with its number, for places where no event shows it: `4 (worker)`.
  func numbered(thread ring: UInt32) -> String { style.escaped(threads.numbered(ring)) }

  /// The thread with a number of the system's, `4 (worker)`; only the number if it recorded nothing.
  func numbered(system: UInt64) -> String {
    let rings = definitions.threads.values.lazy.filter { $0.systemID == system }.map(\.ring)
    return rings.max().map { numbered(thread: $0) } ?? "\(system)"
  }

  /// Returns whether the program named the stream.
  func isNamed(_ id: UInt32) -> Bool { definitions.streams[id]?.isNamed ?? false }

  /// `Shop.swift:12`, where the stream was made or, if that is not known, named; else nil.
  func place(of id: UInt32) -> String? { place(.stream(id)) }

  /// Returns the streams that a line of the program, `Shop.swift:12`, made.
  public func streams(at line: String) -> [UInt32] {
    guard line.contains(":") else { return [] }
    return definitions.streams.keys.filter { places.exact($0)?.description == line }
  }

  /// `Page.init() at Page.swift:12`: the code that started the observation, if the trace knows it.
  func observer(_ event: TraceEvent) -> String? {
    observingFrame(event).map { style.escaped("\($0.function) at \($0.place)") }
  }

  /// The code that started the observation, if the trace knows it.
  func observingFrame(_ event: TraceEvent) -> OwnFrame? {
    observingStack(event).flatMap { symbols?.ownFrame(of: $0) }
  }

  /// The path of the source file of that code, as the program was built from it.
  func observingPath(_ event: TraceEvent) -> String? {
    observingStack(event).flatMap { stack in
      symbols?.named(stack).mostOwn?.file
    }
  }

  private func observingStack(_ event: TraceEvent) -> [StackFrame]? {
    guard let symbols, event.kind == .subscribed,
      let stack = definitions.stacks[SubscriptionPayload(word: event.payload.word).stack]
    else { return nil }
    symbols.lookUpOwn(stack.frames)
    return stack.frames
  }

  /// What is handed to the operator that made a stream, and the place where that was made together with
  /// something that nothing keeps; nil if it was not, or if the source is not there.
  func droppedPartner(of stream: UInt32) -> (name: String, place: String)? {
    guard let symbols,
      let stack = definitions.streams[stream].flatMap({ definitions.stacks[$0.stack] })
    else { return nil }
    symbols.lookUpOwn(stack.frames)
    var partners = DroppedPartners()
    guard let own = symbols.named(stack.frames).mostOwn,
      let file = own.file?.split(separator: "/").last,
      let found = partners.partner(ofArgumentIn: own)
    else { return nil }
    return (style.escaped(found.name), style.escaped("\(file):\(found.line)"))
  }

  /// The program's own frames of a stack, innermost first: functions and places.
  func ownFrames(_ stack: UInt32) -> [(function: String, place: String)] {
    guard let symbols, let stack = definitions.stacks[stack] else { return [] }
    symbols.lookUpOwn(stack.frames)
    return symbols.named(stack.frames).filter { !$0.isMachinery }.compactMap(told)
  }

  /// The function and the place of a frame.
  private func told(_ frame: NamedFrame) -> (function: String, place: String)? {
    guard let function = frame.function, frame.line > 0,
      let file = frame.file?.split(separator: "/").last
    else { return nil }
    return (style.escaped(function), style.escaped("\(file):\(frame.line)"))
  }

  /// The code that gave a scheduler some work, if the trace knows it.
  func scheduling(
    _ hop: TraceEvent, _ lookup: EventLookup
  ) -> (function: String, place: String)? {
    guard let symbols, let stack = schedulingStack(hop, lookup) else { return nil }
    symbols.lookUpOwn(stack.frames)
    let own = symbols.named(stack.frames).filter { $0.line > 0 && $0.file != nil }
    return own.mostOwn.flatMap(told)
  }

  /// The program's own frames of the code that gave a scheduler some work, innermost first.
  func scheduling(
    frames hop: TraceEvent, _ lookup: EventLookup
  ) -> [(function: String, place: String)] {
    schedulingStack(hop, lookup).map { ownFrames($0.id) } ?? []
  }

  /// The line with which the work that an event began goes on: after its `await`, if it is a task's, or
  /// else the line that scheduled it.
  func placeOfWork(_ began: TraceEvent, _ lookup: EventLookup) -> String? {
    guard began.kind == .hopBegan, let stack = schedulingStack(began, lookup) else { return nil }
    let isTask = began.runTask != nil && stack.frames.first?.isResumption == true
    return place(isTask ? .goingOn(stack.id) : .stack(stack.id))
  }

  /// The stack of the code that gave a scheduler some work, or that went on in it.
  func schedulingStack(_ hop: TraceEvent, _ lookup: EventLookup) -> StackDefinition? {
    let scheduled =
      hop.kind == .hopScheduled ? hop : hop.causes.lazy.compactMap { lookup[$0] }.first
    guard let scheduled, scheduled.payload.kind == .cause else { return nil }
    return definitions.stacks[HopPayload(word: scheduled.payload.word).stack]
  }

  /// The line of the program that a finding points at: `Shop.swift:12`.
  public func place(_ place: FindingPlace) -> String? {
    line(place).map { style.escaped($0.description) }
  }

  /// The line of the program that a finding points at.
  func line(_ place: FindingPlace) -> Place? {
    switch place {
    case .stream(let stream): return places.exact(stream) ?? places.exact(places.named(stream))
    case .receiver(let stream): return receiver(of: stream) ?? line(.stream(stream))
    case .stack(let id): return line(of: id)
    case .frame(let id, let position): return line(of: id, from: position)
    case .entry(let id): return entry(of: id)
    case .goingOn(let id): return goingOn(from: id) ?? line(of: id)
    case .waiter(let id):
      return definitions.stacks[id].flatMap { symbols?.lineOfWaiter(in: $0.frames) } ?? line(of: id)
    case .of(let scheduler, let id):
      return line(of: id, in: definitions.schedulers[scheduler]?.name)
    case .common(let ids): return commonLines(of: ids).last
    case .reached(let ids, let from):
      let lines = commonLines(of: ids)
      let before = line(of: from)
      return lines.first { $0 != before } ?? lines.last
    case .parting(let stack, let other):
      return partingLine(of: stack, from: other) ?? line(of: stack)
    case .line(let place): return place
    }
  }

  private func line(of stack: UInt32, from position: Int = 0) -> Place? {
    guard let symbols, let stack = definitions.stacks[stack] else { return nil }
    let frames = Array(stack.frames.dropFirst(position))
    symbols.lookUpOwn(frames)
    return symbols.ownFrame(of: frames)?.place
  }

  /// The line of the innermost function of a type.
  private func line(of id: UInt32, in type: String?) -> Place? {
    guard let symbols, let type, let stack = definitions.stacks[id] else { return line(of: id) }
    return symbols.line(of: stack.frames, in: { $0.contains(type + ".") }) ?? line(of: id)
  }

  private func commonLines(of stacks: [UInt32]) -> [Place] {
    symbols?.commonLines(of: stacks.compactMap { definitions.stacks[$0] }) ?? []
  }

  private func goingOn(from stack: UInt32) -> Place? {
    guard let symbols, let stack = definitions.stacks[stack] else { return nil }
    symbols.lookUpOwn(stack.frames)
    return symbols.lineGoneOnTo(from: stack.frames)
  }

  private func entry(of stack: UInt32) -> Place? {
    guard let symbols, let stack = definitions.stacks[stack] else { return nil }
    symbols.lookUpOwn(stack.frames)
    let own = symbols.named(stack.frames).drop(while: \.isMachinery).prefix { !$0.isMachinery }
    guard let frame = own.last(where: { $0.line > 0 && $0.file != nil }), let file = frame.file
    else { return line(of: stack.id) }
    return Place(
      file: file.split(separator: "/").suffix(2).joined(separator: "/"), line: frame.line)
  }

  /// The line that received a producer from the function that made it, and did not start it.
  private func receiver(of stream: UInt32) -> Place? {
    // A stream with a place of its own has no stack, but is made with what it names.
    let maker = definitions.streams[stream].flatMap { stream in
      stream.stack != 0 ? stream : stream.parents.first.flatMap { definitions.streams[$0] }
    }
    guard let symbols, let id = maker?.stack, let stack = definitions.stacks[id] else { return nil }
    symbols.lookUpOwn(stack.frames)
    let frames = symbols.named(stack.frames).filter { !$0.isMachinery && $0.line > 0 }
    guard frames.first?.returnsProducer == true,
      let frame = frames.first(where: { !$0.returnsProducer }), let file = frame.file
    else { return nil }
    let short = file.split(separator: "/").suffix(2).joined(separator: "/")
    return Place(file: short, line: frame.line)
  }

  /// The line in which the code of a stack parted from that of another: the last function that
  /// both were called from decided which of them ran first. Nil if they have none in common.
  func parting(of stack: UInt32, from other: UInt32) -> String? {
    partingLine(of: stack, from: other).map {
      style.escaped("\($0.file.split(separator: "/").last ?? ""):\($0.line)")
    }
  }

  private func partingLine(of stack: UInt32, from other: UInt32) -> Place? {
    guard let symbols, let one = definitions.stacks[stack], let two = definitions.stacks[other]
    else { return nil }
    symbols.lookUpOwn(one.frames + two.frames)
    let outer = symbols.named(one.frames).filter { !$0.isMachinery }.reversed()
    let others = symbols.named(two.frames).filter { !$0.isMachinery }.reversed()
    for (frame, other) in zip(outer, others) {
      guard frame.function == other.function, frame.file == other.file else { return nil }
      guard frame.line != other.line else { continue }
      guard let file = frame.file, frame.line > 0 else { return nil }
      return Place(
        file: file.split(separator: "/").suffix(2).joined(separator: "/"), line: frame.line)
    }
    return nil
  }

  // MARK: - Moments

  func nanoseconds(_ ticks: UInt64) -> Int64 { time.nanoseconds(sinceStart: ticks) }

  /// Returns the moment of a tick, in nanoseconds since 1970.
  func sinceEpoch(_ ticks: UInt64, started: UInt64) -> Int64 {
    Int64(clamping: TraceTime.sinceEpoch(nanoseconds(ticks), started: started))
  }

  /// A moment, in one unit for the whole trace.
  func moment(_ ticks: UInt64) -> String {
    let nanoseconds = UInt64(max(self.nanoseconds(ticks), 0))
    let inSeconds = duration >= 100_000_000
    let parts = nanoseconds / (inSeconds ? 1_000 : 1)
    let digits = String(parts % 1_000_000 + 1_000_000).dropFirst()
    return "\(parts / 1_000_000).\(digits) \(inSeconds ? "s" : "ms")"
  }

  /// The time between two ticks: three digits and a unit.
  func span(from first: UInt64, to last: UInt64) -> String {
    DurationWords.text(UInt64(max(nanoseconds(last) - nanoseconds(first), 0)), ascii: style.ascii)
  }

  // MARK: - Events

  /// Returns the payload as `replay` shows it, shortened if it is long, with the size of a text of
  /// which only a part was recorded.
  func value(_ event: TraceEvent) -> String {
    let whole = wholeValue(event)
    let size = recordedInPart(event).map { " (\($0) bytes)" } ?? ""
    guard !keepsValues else {
      let plain = event.payload.kind == .description ? PlainDescription.of(whole) : whole
      return plain + (size.isEmpty ? "" : ellipsis + size)
    }
    guard DisplayWidth.of(whole) > Self.widestValue else { return whole + size }
    return shortened(whole, event) + size
  }

  /// The size of a text of which only a part was recorded; else nil.
  private func recordedInPart(_ event: TraceEvent) -> UInt64? {
    switch event.payload.kind {
    case .string, .description, .bytes:
      event.payload.word > UInt64(event.payload.bytes.count) ? event.payload.word : nil
    default: nil
    }
  }

  private func shortened(_ whole: String, _ event: TraceEvent) -> String {
    let plain = event.payload.kind == .description ? PlainDescription.of(whole) : whole
    guard DisplayWidth.of(plain) > Self.widestValue else { return plain }
    // The beginning tells most, and the end more than what is between.
    let end = String(plain.suffix(Self.endOfValue))
    let room = Self.widestValue - DisplayWidth.of(end)
    return DisplayWidth.cut(plain, to: room, ellipsis: ellipsis) + end
  }

  /// Returns the payload as far as it was recorded.
  func longValue(_ event: TraceEvent) -> String { wholeValue(event) }

  /// Returns what a task waits for after a run, if its record says that it is a continuation, and the code
  /// that waits has names.
  func wait(_ end: TaskAwaitPayload) -> ContinuationWait? {
    guard end.awaited == TaskAwait.continuation.rawValue, let symbols,
      let stack = definitions.stacks[end.stack]
    else { return nil }
    return symbols.wait(in: stack.frames)
  }

  /// Returns what a task awaits after a run, in words: `waits for task 3`.
  func phrase(_ end: TaskAwaitPayload) -> String {
    switch wait(end) {
    case .sleep: "sleeps"
    case .yield: "yields to others"
    case .element: "waits for an element of a stream"
    case .continuation, nil: end.phrase
    }
  }

  private func wholeValue(_ event: TraceEvent) -> String {
    let payload = event.payload
    guard let kind = payload.kind else { return "(written by a newer version)" }
    switch kind {
    case .absent, .reason, .cause: return ""
    case .task: return "task \(TaskRunPayload(word: payload.word).task)"
    case .awaited: return phrase(TaskAwaitPayload(word: payload.word))
    case .made:
      let creator = TaskCreationPayload(word: payload.word).creator
      return creator == 0 ? "" : "by task \(creator)"
    case .unit: return "()"
    case .null: return "nil"
    case .integer: return String(Int64(bitPattern: payload.word))
    case .unsigned: return String(payload.word)
    case .real: return Double(bitPattern: payload.word).description
    case .boolean: return payload.word == 0 ? "false" : "true"
    case .string where event.kind == .value: return "\"\(style.escaped(payload.text))\""
    case .string, .description: return style.escaped(payload.text)
    case .bytes: return "<\(payload.bytes.count) bytes>"
    case .typeOnly: return "(\(style.escaped(payload.text)))"
    case .withheld: return "(withheld)"
    case .stream:
      let fed = SubscriptionPayload(word: payload.word).stream
      return fed == 0 ? "an observer" : stream(fed)
    }
  }
}

/// Writes durations with three digits.
enum DurationWords {
  /// `12.3 µs`, `1.20 s`.
  static func text(_ nanoseconds: UInt64, ascii: Bool = false) -> String {
    let units: [(UInt64, String)] = [
      (60_000_000_000, "min"), (1_000_000_000, "s"), (1_000_000, "ms"),
      (1_000, ascii ? "us" : "µs"),
    ]
    for (size, unit) in units where nanoseconds >= size {
      let hundredths = (nanoseconds + size / 200) / (size / 100)
      if hundredths < 1_000 { return "\(hundredths / 100).\(two(hundredths % 100)) \(unit)" }
      if hundredths < 10_000 { return "\(hundredths / 100).\(hundredths % 100 / 10) \(unit)" }
      return "\(nanoseconds / size) \(unit)"
    }
    return "\(nanoseconds) ns"
  }

  private static func two(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
