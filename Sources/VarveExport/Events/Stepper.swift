public import VarveFormat

/// The state of stepping through events by keys: which line is the last one shown.
///
/// It knows nothing of terminals, and holds no more than three pieces of the lines at a time.
public struct Stepper {
  /// An event's line.
  public struct Line: Sendable {
    /// The line as printed, without a line break.
    public var text: String
    /// The event.
    public var event: EventName
    /// The tick of the event.
    public var tick: UInt64
    /// The time of the event, in nanoseconds since the start of the trace.
    public var time: Int64
    /// Whether the event is a failure.
    public var isFailure: Bool

    /// Creates a line.
    public init(text: String, event: EventName, tick: UInt64, time: Int64, isFailure: Bool) {
      self.text = text
      self.event = event
      self.tick = tick
      self.time = time
      self.isFailure = isFailure
    }

    /// The text without colours.
    public var plain: String {
      text.split(separator: "\u{1b}[").enumerated().map { index, part in
        index == 0 && !text.hasPrefix("\u{1b}[")
          ? part : part.drop { $0 != "m" }.dropFirst()
      }.joined()
    }
  }

  /// A search that the user has stopped.
  public struct SearchStopped: Error {
    /// Creates the error.
    public init() {}
  }

  private var source: any StepSource
  /// The lines around the current one, and those before and after them, once they were needed.
  private var piece: StepPiece
  private var before: StepPiece?
  private var after: StepPiece?
  private var index = 0
  /// The number of lines before the piece; nil if it is not known, as after a search.
  private var preceding: Int? = 0
  /// Whether playback is running.
  public private(set) var isPlaying = false
  /// The text of the last search.
  public private(set) var wanted = ""
  /// The reason why the last key did nothing.
  public private(set) var note = ""
  /// Whether the user has asked to leave.
  public private(set) var isOver = false

  /// Starts at the first line; nil if there is none.
  public init?(_ source: any StepSource) throws {
    guard let first = try source.piece(from: 0) else { return nil }
    self.source = source
    piece = first
  }

  /// The current line.
  public var current: Line { piece.lines[index] }

  /// The number of the current line, from 1 on; nil if it is not known.
  public var number: Int? { preceding.map { $0 + index + 1 } }

  /// The number of all lines; nil if it is not known.
  public var count: Int? {
    source.count ?? (piece.isLast ? preceding.map { $0 + piece.lines.count } : nil)
  }

  /// Returns the current line and as many of those before it as there is room for.
  public mutating func lines(most: Int) throws -> [Line] {
    let own = piece.lines[max(index + 1 - most, 0)...index]
    guard own.count < most, try loadBefore(), let before else { return Array(own) }
    return before.lines.suffix(most - own.count) + own
  }

  /// Takes the same lines from another source, which lays them out in another way, and stays at the
  /// current event.
  public mutating func take(from source: any StepSource) throws {
    guard let next = try source.piece(from: piece.lines[0].tick),
      let found = next.lines.firstIndex(where: { $0.event == current.event })
    else { return }
    self.source = source
    (before, piece, after, index) = (nil, next, nil, found)
  }

  /// Handles a key.
  ///
  /// Space plays and pauses, `.` and `,` step forward and back, `e` and `E` go to the next and the
  /// previous failure, `n` and `N` to the next and the previous match of the search, `g` and `G` to
  /// the first and the last line, `q` leaves. Other keys do nothing.
  public mutating func press(_ key: Character) throws {
    note = ""
    if key != " " { isPlaying = false }
    switch key {
    case " ": isPlaying = try !isPlaying && hasNext()
    case ".": if try !stepForward() { note = "this is the last event" }
    case ",": if try !stepBack() { note = "this is the first event" }
    case "e": try goForward(to: .failure, else: "no failure after this")
    case "E": try goBack(to: .failure, else: "no failure before this")
    case "n": try find(forward: true)
    case "N": try find(forward: false)
    case "g": try goToStart()
    case "G": try goToEnd()
    case "q": isOver = true
    default: break
    }
  }

  /// Goes to the next line that contains `text`, ignoring case.
  public mutating func search(_ text: String) throws {
    note = ""
    isPlaying = false
    if !text.isEmpty { wanted = text }
    try find(forward: true)
  }

  /// Advances by one line if playback is running; pauses at the end.
  public mutating func tick() throws {
    guard isPlaying else { return }
    _ = try stepForward()
    isPlaying = try hasNext()
  }

  /// Returns the time from the current line to the next, in nanoseconds; nil at the end.
  public mutating func pause() throws -> UInt64? {
    let next: Line?
    if index + 1 < piece.lines.count {
      next = piece.lines[index + 1]
    } else {
      next = try loadAfter() ? after?.lines.first : nil
    }
    return next.map { UInt64(max($0.time - current.time, 0)) }
  }
}

// MARK: - Steps

extension Stepper {
  private mutating func hasNext() throws -> Bool {
    if index + 1 < piece.lines.count { return true }
    return try loadAfter()
  }

  /// Loads the lines after the piece, if there are any.
  private mutating func loadAfter() throws -> Bool {
    if after == nil, !piece.isLast, let last = piece.lines.last, last.tick < .max {
      after = try source.piece(from: last.tick + 1)
    }
    return after != nil
  }

  /// Loads the lines before the piece, if there are any.
  private mutating func loadBefore() throws -> Bool {
    if before == nil, !piece.isFirst, let first = piece.lines.first, first.tick > 0 {
      before = try source.piece(upTo: first.tick - 1)
    }
    return before != nil
  }

  private mutating func stepForward() throws -> Bool {
    if index + 1 < piece.lines.count {
      index += 1
      return true
    }
    guard try loadAfter(), let next = after else { return false }
    preceding = preceding.map { $0 + piece.lines.count }
    (before, piece, after, index) = (piece, next, nil, 0)
    return true
  }

  private mutating func stepBack() throws -> Bool {
    if index > 0 {
      index -= 1
      return true
    }
    guard try loadBefore(), let next = before else { return false }
    preceding = preceding.map { $0 - next.lines.count }
    (before, piece, after, index) = (nil, next, piece, next.lines.count - 1)
    return true
  }

  private mutating func goToStart() throws {
    guard !piece.isFirst else { return index = 0 }
    guard let first = try source.piece(from: 0) else { return }
    show(first, at: 0)
  }

  private mutating func goToEnd() throws {
    guard !piece.isLast else { return index = piece.lines.count - 1 }
    guard let last = try source.piece(upTo: .max) else { return }
    show(last, at: last.lines.count - 1)
  }

  private mutating func show(_ next: StepPiece, at index: Int) {
    (before, piece, after, self.index) = (nil, next, nil, index)
    preceding =
      next.isFirst ? 0 : next.isLast ? source.count.map { $0 - next.lines.count } : nil
  }
}

// MARK: - Searches

extension Stepper {
  private mutating func find(forward: Bool) throws {
    guard !wanted.isEmpty else { return note = "nothing was searched for; / searches" }
    if forward {
      try goForward(to: .text(wanted), else: "no \"\(wanted)\" after this")
    } else {
      try goBack(to: .text(wanted), else: "no \"\(wanted)\" before this")
    }
  }

  private mutating func goForward(to sought: Sought, else reason: String) throws {
    if let found = piece.lines[(index + 1)...].firstIndex(where: sought.matches) {
      return index = found
    }
    guard !piece.isLast, let last = piece.lines.last?.tick, last < .max,
      let tick = try find({ try $0.tick(ofFirst: sought, from: last + 1) }),
      let next = try source.piece(from: tick),
      let found = next.lines.firstIndex(where: sought.matches)
    else { return note = note.isEmpty ? reason : note }
    show(next, at: found)
  }

  private mutating func goBack(to sought: Sought, else reason: String) throws {
    if let found = piece.lines[..<index].lastIndex(where: sought.matches) {
      return index = found
    }
    guard !piece.isFirst, let first = piece.lines.first?.tick, first > 0,
      let tick = try find({ try $0.tick(ofLast: sought, upTo: first - 1) }),
      let next = try source.piece(upTo: tick),
      let found = next.lines.lastIndex(where: sought.matches)
    else { return note = note.isEmpty ? reason : note }
    show(next, at: found)
  }

  /// Returns what a search finds; nil if the user stops it, which is noted.
  private mutating func find(_ tick: (any StepSource) throws -> UInt64?) throws -> UInt64? {
    do {
      return try tick(source)
    } catch is SearchStopped {
      note = "the search was stopped"
      return nil
    }
  }
}
