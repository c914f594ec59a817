internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat
internal import VarveMarbles
internal import VarveProbe

/// Steps through events by keys, on a separate screen.
struct StepRun {
  /// Returns the answer to a key that asks about an event: what led to it, or what was around it.
  typealias Question = (EventName) throws -> String
  /// Returns the lines, laid out for a width of the terminal.
  typealias Layout = (Int?) throws -> any StepSource

  private var stepper: Stepper
  /// The length of the recording, in nanoseconds.
  private let duration: UInt64
  private let questions: [Character: Question]
  private let pace: ReplayPace?
  private let style: OutputStyle
  private let layout: Layout
  /// The width that lines are laid out for.
  private var width: Int?

  /// - Parameters:
  ///   - pace: the speed of playback; nil plays at the speed of the recording.
  ///   - questions: what keys ask about the current event.
  ///   - duration: the length of the recording, in nanoseconds.
  ///   - layout: lays the lines out anew.
  init(
    _ stepper: Stepper, over duration: UInt64, pace: ReplayPace?, style: OutputStyle,
    asking questions: [Character: Question], layout: @escaping Layout
  ) {
    self.layout = layout
    width = style.width
    self.stepper = stepper
    self.duration = duration
    self.questions = questions
    self.pace = pace
    self.style = style
  }

  /// Runs until the user leaves.
  mutating func run(on keys: Keyboard) throws {
    defer { keys.leave() }
    keys.enter()
    while !stepper.isOver {
      if current.width != width {
        width = current.width
        try stepper.take(from: layout(width))
      }
      let lines = try stepper.lines(most: keys.rows)
      keys.show { screen(lines, rows: $0) }
      guard let key = keys.read(for: try wait()) else {
        if !keys.wasInterrupted { try stepper.tick() }
        continue
      }
      switch key {
      case "/":
        if let text = keys.ask("/", below: keys.rows) {
          announceSearch(on: keys)
          try stepper.search(text)
        }
      case "\u{1a}": keys.suspend()
      case "\u{3}", "\u{4}": throw CommandEnd(.interrupted)
      default:
        if "nNeE".contains(key) { announceSearch(on: keys) }
        try stepper.press(key)
        if let ask = questions[key] {
          let event = stepper.current.event
          try show({ try ask(event) }, on: keys)
        } else if "?h".contains(key) {
          try show({ Self.help }, on: keys)
        }
      }
    }
  }

  /// Says that a search goes on, which may take a while; what it finds is drawn over that.
  private func announceSearch(on keys: Keyboard) {
    StandardOutput.write("\u{1b}[\(keys.rows);1H\u{1b}[K" + bar("searching; any key stops it"))
  }

  /// Shows an answer until a key is pressed that does not move it; it is asked for again when the
  /// terminal has another width.
  private func show(_ answer: () throws -> String, on keys: Keyboard) throws {
    var lines: [String] = []
    var width: Int??
    var first = 0
    while true {
      if width != .some(current.width) {
        width = .some(current.width)
        lines = try answer().split(separator: "\n", omittingEmptySubsequences: false).map(
          String.init)
      }
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
  private mutating func wait() throws -> Duration? {
    guard stepper.isPlaying, let pause = try stepper.pause() else { return nil }
    return .nanoseconds(Int64(clamping: pace?.scaled(pause) ?? pause))
  }

  /// Returns the screen: the lines up to the current one, and a bar with the state and the keys.
  private func screen(_ last: [Stepper.Line], rows: Int) -> [String] {
    var lines = last.suffix(rows - 1).map { current.fitted($0.text) }
    lines += Array(repeating: "", count: max(rows - 1 - lines.count, 0))
    let state = stepper.isPlaying ? "playing" : "paused"
    let place = "\(position) \(state)"
    let width = current.width.map { $0 - DisplayWidth.of("\(place)  ") }
    let note = stepper.note.isEmpty ? Self.keys(within: width) : stepper.note
    return lines + [bar("\(place)  \(note)")]
  }

  /// What all keys do.
  private static let help = """
    space   play at the pace of the recording, and pause
    . ,     step forward and back, as the arrow keys do
    g G     go to the first and the last event
    e E     go to the next and the previous failure
    /       search for a text; n and N go on, forward and back
    w       why the event happened
    t       a timeline of what was around it
    s       what its stream did
    ^Z      back to the shell; fg returns
    q       quit
    """

  /// Returns what the keys do, as many as fit: a narrow terminal keeps those that one needs first.
  private static func keys(within width: Int?) -> String {
    let all = [
      ". , step", "q quit", "? keys", "w why", "space play", "/ search", "e E failures",
      "t timeline",
      "s stream", "g G ends",
    ]
    return all.reduce("") { line, key in
      let longer = line.isEmpty ? key : "\(line)  \(key)"
      return width.map { DisplayWidth.of(longer) <= $0 } ?? true ? longer : line
    }
  }

  /// The number of the current line and of all, as far as they are known, or how far it is through
  /// the time of the recording.
  private var position: String {
    guard let number = stepper.number else {
      let share = Double(stepper.current.time) / Double(max(duration, 1))
      return "\(Int(min(max(share, 0), 1) * 100)) %"
    }
    return stepper.count.map { "\(number)/\($0)" } ?? "\(number)"
  }
}
