/// The state of stepping through events by keys: which line is the last one shown.
///
/// It knows nothing of terminals.
public struct Stepper: Sendable {
  /// An event's line.
  public struct Line: Sendable {
    /// The line as printed, without a line break.
    public var text: String
    /// The time of the event, in nanoseconds since the start of the trace.
    public var time: Int64
    /// Whether the event is a failure.
    public var isFailure: Bool

    /// Creates a line.
    public init(text: String, time: Int64, isFailure: Bool) {
      self.text = text
      self.time = time
      self.isFailure = isFailure
    }

    /// The text without colours.
    var plain: String {
      text.split(separator: "\u{1b}[").enumerated().map { index, part in
        index == 0 && !text.hasPrefix("\u{1b}[")
          ? part : part.drop { $0 != "m" }.dropFirst()
      }.joined()
    }
  }

  /// All lines.
  public let lines: [Line]
  /// The index of the current line.
  public private(set) var current = 0
  /// Whether playback is running.
  public private(set) var isPlaying = false
  /// The text of the last search.
  public private(set) var wanted = ""
  /// The reason why the last key did nothing.
  public private(set) var note = ""
  /// Whether the user has asked to leave.
  public private(set) var isOver = false

  /// Starts at the first line. `lines` must not be empty.
  public init(_ lines: [Line]) { self.lines = lines }

  /// Handles a key.
  ///
  /// Space plays and pauses, `.` and `,` step forward and back, `e` and `E` go to the next and the
  /// previous failure, `n` and `N` to the next and the previous match of the search, `g` and `G` to
  /// the first and the last line, `q` leaves. Other keys do nothing.
  public mutating func press(_ key: Character) {
    note = ""
    if key != " " { isPlaying = false }
    switch key {
    case " ": isPlaying = !isPlaying && current < lines.count - 1
    case ".": move(to: current + 1, else: "this is the last event")
    case ",": move(to: current - 1, else: "this is the first event")
    case "e": move(to: next(where: \.isFailure), else: "no failure after this")
    case "E": move(to: previous(where: \.isFailure), else: "no failure before this")
    case "n": find(forward: true)
    case "N": find(forward: false)
    case "g": current = 0
    case "G": current = lines.count - 1
    case "q": isOver = true
    default: break
    }
  }

  /// Goes to the next line that contains `text`, ignoring case.
  public mutating func search(_ text: String) {
    note = ""
    isPlaying = false
    if !text.isEmpty { wanted = text }
    find(forward: true)
  }

  /// Advances by one line if playback is running; pauses at the end.
  public mutating func tick() {
    guard isPlaying else { return }
    if current < lines.count - 1 { current += 1 }
    if current == lines.count - 1 { isPlaying = false }
  }

  /// The time from the current line to the next, in nanoseconds; nil at the end.
  public var pause: UInt64? {
    guard current + 1 < lines.count else { return nil }
    return UInt64(max(lines[current + 1].time - lines[current].time, 0))
  }

  private mutating func find(forward: Bool) {
    guard !wanted.isEmpty else { return note = "nothing was searched for; / searches" }
    let text = wanted.lowercased()
    func holds(_ line: Line) -> Bool { line.plain.lowercased().contains(text) }
    move(
      to: forward ? next(where: holds) : previous(where: holds),
      else: "no \"\(wanted)\" \(forward ? "after" : "before") this")
  }

  private func next(where isMeant: (Line) -> Bool) -> Int? {
    lines[(current + 1)...].firstIndex(where: isMeant)
  }

  private func previous(where isMeant: (Line) -> Bool) -> Int? {
    lines[..<current].lastIndex(where: isMeant)
  }

  private mutating func move(to index: Int?, else reason: String) {
    guard let index, lines.indices.contains(index) else { return note = reason }
    current = index
  }
}
