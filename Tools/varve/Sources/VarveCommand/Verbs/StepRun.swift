internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat
internal import VarveMarbles
internal import VarveProbe

/// Steps through events by keys, on a separate screen.
struct StepRun {
  /// The limits on lines and their bytes. More would fill memory before the first line is shown.
  private static let mostLines = 1_000_000
  private static let mostBytes = 32 << 20

  /// A line, and the event that it is of.
  struct Step {
    var line: Stepper.Line
    var event: EventName
  }

  /// Returns the answer to a key that asks about an event: what led to it, or what was around it.
  typealias Question = (EventName) throws -> String

  private var stepper: Stepper
  private let events: [EventName]
  private let questions: [Character: Question]
  private let pace: ReplayPace?
  private let style: OutputStyle

  /// - Parameters:
  ///   - pace: the speed of playback; nil plays at the speed of the recording.
  ///   - questions: what keys ask about the current event.
  init(
    _ steps: [Step], pace: ReplayPace?, style: OutputStyle, asking questions: [Character: Question]
  ) {
    stepper = Stepper(steps.map(\.line))
    events = steps.map(\.event)
    self.questions = questions
    self.pace = pace
    self.style = style
  }

  /// Returns the lines of a query's events; throws if there are too many.
  static func lines(
    _ query: inout EventQuery<TraceReader>, _ form: ReplayForm, _ gathered: LineGatherer,
    in reader: TraceReader
  ) throws -> [Step] {
    let renderer = form.renderer(reader, query.filter)
    var converter = TickConverter(reader.time)
    var moments: [(time: Int64, isFailure: Bool, event: EventName)] = []
    query.run { page in
      page.forEach { batch, index in
        moments.append(
          (
            converter.nanoseconds(sinceStart: batch.columns.ticks[index]),
            batch.columns.kinds[index] == RecordKind.failed.rawValue, batch.columns.name(index)
          ))
      }
      renderer.render(page)
      return moments.count <= mostLines && gathered.count <= mostBytes
    }
    guard moments.count <= mostLines, gathered.count <= mostBytes else {
      throw CommandEnd(
        .wrongUsage, "there are too many events to step through; choose some with --since or -n")
    }
    form.output.flush()
    return zip(gathered.lines, moments).map {
      Step(
        line: Stepper.Line(text: $0, time: $1.time, isFailure: $1.isFailure), event: $1.event)
    }
  }

  /// Runs until the user leaves.
  mutating func run() throws {
    guard let keys = Keyboard() else {
      throw CommandEnd(.wrongUsage, "--step needs a terminal")
    }
    defer { keys.leave() }
    keys.enter()
    while !stepper.isOver {
      keys.show { screen(rows: $0) }
      guard let key = keys.read(for: wait) else {
        if !keys.wasInterrupted { stepper.tick() }
        continue
      }
      switch key {
      case "/": if let text = keys.ask("/", below: keys.rows) { stepper.search(text) }
      case "\u{1a}": keys.suspend()
      case "\u{3}", "\u{4}": throw CommandEnd(.interrupted)
      default:
        stepper.press(key)
        if let ask = questions[key] { try show(ask(events[stepper.current]), on: keys) }
      }
    }
  }

  /// Shows an answer until a key is pressed that does not move it.
  private func show(_ answer: String, on keys: Keyboard) throws {
    let lines = answer.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var first = 0
    while true {
      keys.show { all in
        let shown = lines.dropFirst(first).prefix(all - 1).map { current.fitted($0) }
        let empty = Array(repeating: "", count: max(all - 1 - shown.count, 0))
        return shown + empty + [bar(". , move  any other key goes back")]
      }
      switch keys.read(for: nil) {
      case nil: continue
      case "."?: first = min(first + 1, max(lines.count - (keys.rows - 1), 0))
      case ","?: first = max(first - 1, 0)
      case "\u{1a}"?: keys.suspend()
      case "\u{3}"?: throw CommandEnd(.interrupted)
      default: return
      }
    }
  }

  /// The style for the terminal as wide as it is now.
  private var current: OutputStyle {
    OutputStyle(
      colours: style.colours, ascii: style.ascii, width: style.width == nil ? nil : Terminal.width)
  }

  private func bar(_ text: String) -> String {
    let shown = current.width.map { DisplayWidth.cut(text, to: $0, ellipsis: "") } ?? text
    return style.colours ? "\u{1b}[7m\(shown)\u{1b}[0m" : shown
  }

  /// The time to wait for a key; nil waits forever.
  private var wait: Duration? {
    guard stepper.isPlaying, let pause = stepper.pause else { return nil }
    return .nanoseconds(Int64(clamping: pace?.scaled(pause) ?? pause))
  }

  /// Returns the screen: the lines up to the current one, and a bar with the state and the keys.
  private func screen(rows: Int) -> [String] {
    let first = max(0, stepper.current - max(rows - 2, 0))
    var lines = stepper.lines[first...stepper.current].map { current.fitted($0.text) }
    lines += Array(repeating: "", count: max(rows - 1 - lines.count, 0))
    let state = stepper.isPlaying ? "playing" : "paused"
    let place = "\(stepper.current + 1)/\(stepper.lines.count) \(state)"
    let help =
      ". , step  space play  e E failures  / search  w why  t timeline  s stream  g G ends  q quit"
    return lines + [bar("\(place)  \(stepper.note.isEmpty ? help : stepper.note)")]
  }
}
