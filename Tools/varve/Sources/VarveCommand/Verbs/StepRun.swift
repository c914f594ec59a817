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

  private var stepper: Stepper
  private let pace: ReplayPace?
  private let style: OutputStyle

  /// - Parameters:
  ///   - pace: the speed of playback; nil plays at the speed of the recording.
  init(_ lines: [Stepper.Line], pace: ReplayPace?, style: OutputStyle) {
    stepper = Stepper(lines)
    self.pace = pace
    self.style = style
  }

  /// Returns the lines of a query's events; throws if there are too many.
  static func lines(
    _ query: inout EventQuery<TraceReader>, _ form: ReplayForm, _ gathered: LineGatherer,
    in reader: TraceReader
  ) throws -> [Stepper.Line] {
    let renderer = form.renderer(reader, query.filter)
    var converter = TickConverter(reader.time)
    var moments: [(time: Int64, isFailure: Bool)] = []
    query.run { page in
      page.forEach { batch, index in
        moments.append(
          (
            converter.nanoseconds(sinceStart: batch.columns.ticks[index]),
            batch.columns.kinds[index] == RecordKind.failed.rawValue
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
      Stepper.Line(text: $0, time: $1.time, isFailure: $1.isFailure)
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
      keys.show(screen(rows: keys.rows))
      guard let key = keys.read(for: wait) else {
        stepper.tick()
        continue
      }
      switch key {
      case "/": if let text = keys.ask("/", below: keys.rows) { stepper.search(text) }
      case "\u{3}", "\u{4}": throw CommandEnd(.interrupted)
      default: stepper.press(key)
      }
    }
  }

  /// The time to wait for a key; nil waits forever.
  private var wait: Duration? {
    guard stepper.isPlaying, let pause = stepper.pause else { return nil }
    return .nanoseconds(Int64(clamping: pace?.scaled(pause) ?? pause))
  }

  /// Returns the screen: the lines up to the current one, and a bar with the state and the keys.
  private func screen(rows: Int) -> [String] {
    let first = max(0, stepper.current - max(rows - 2, 0))
    var lines = stepper.lines[first...stepper.current].map(\.text)
    lines += Array(repeating: "", count: max(rows - 1 - lines.count, 0))
    let state = stepper.isPlaying ? "playing" : "paused"
    let place = "\(stepper.current + 1)/\(stepper.lines.count) \(state)"
    let help = ". , step  space play  e E failures  / search  g G ends  q quit"
    let whole = "\(place)  \(stepper.note.isEmpty ? help : stepper.note)"
    let bar = style.width.map { DisplayWidth.cut(whole, to: $0, ellipsis: "") } ?? whole
    return lines + [style.colours ? "\u{1b}[7m\(bar)\u{1b}[0m" : bar]
  }
}
