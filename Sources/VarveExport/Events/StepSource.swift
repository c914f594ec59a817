/// Lines that follow each other, with all that have the ticks of the first and of the last.
public struct StepPiece: Sendable {
  /// The lines; there is one at least.
  public var lines: [Stepper.Line]
  /// Whether no line comes before these.
  public var isFirst: Bool
  /// Whether no line comes after these.
  public var isLast: Bool

  /// Creates a piece.
  public init(_ lines: [Stepper.Line], isFirst: Bool, isLast: Bool) {
    self.lines = lines
    self.isFirst = isFirst
    self.isLast = isLast
  }
}

/// What a stepper looks for.
public enum Sought: Sendable {
  /// A failure.
  case failure
  /// A line that contains this text, in whatever case.
  case text(String)

  /// Returns whether a line is sought.
  public func matches(_ line: Stepper.Line) -> Bool {
    switch self {
    case .failure: line.isFailure
    case .text(let text): line.plain.lowercased().contains(text.lowercased())
    }
  }
}

/// Where a stepper has its lines from, a piece at a time.
public protocol StepSource {
  /// The number of all lines; nil if it is not known.
  var count: Int? { get }

  /// Returns the first lines from a tick on; nil if there are none.
  func piece(from tick: UInt64) throws -> StepPiece?

  /// Returns the last lines up to a tick; nil if there are none.
  func piece(upTo tick: UInt64) throws -> StepPiece?

  /// Returns the tick of the first line that is sought, from a tick on; nil if there is none.
  func tick(ofFirst sought: Sought, from tick: UInt64) throws -> UInt64?

  /// Returns the tick of the last line that is sought, up to a tick; nil if there is none.
  func tick(ofLast sought: Sought, upTo tick: UInt64) throws -> UInt64?
}

/// Lines that are all in memory.
public struct GatheredSteps: StepSource {
  private let lines: [Stepper.Line]
  private let most: Int

  /// Takes lines in the order of their ticks.
  ///
  /// - Parameters:
  ///   - lines: the lines.
  ///   - most: the length of a piece, unless the lines of one tick are more.
  public init(_ lines: [Stepper.Line], most: Int = .max) {
    self.lines = lines
    self.most = most
  }

  /// The number of all lines.
  public var count: Int? { lines.count }

  /// Returns the first lines from a tick on; nil if there are none.
  public func piece(from tick: UInt64) -> StepPiece? {
    guard let start = lines.firstIndex(where: { $0.tick >= tick }) else { return nil }
    let least = min(most, lines.count - start) + start
    let end = lines[least...].firstIndex { $0.tick != lines[least - 1].tick } ?? lines.count
    return piece(start..<end)
  }

  /// Returns the last lines up to a tick; nil if there are none.
  public func piece(upTo tick: UInt64) -> StepPiece? {
    guard let last = lines.lastIndex(where: { $0.tick <= tick }) else { return nil }
    let most = last + 1 - min(most, last + 1)
    let before = lines[..<most].lastIndex { $0.tick != lines[most].tick }
    return piece((before.map { $0 + 1 } ?? 0)..<(last + 1))
  }

  private func piece(_ range: Range<Int>) -> StepPiece {
    StepPiece(
      Array(lines[range]), isFirst: range.lowerBound == 0, isLast: range.upperBound == lines.count)
  }

  /// Returns the tick of the first line that is sought, from a tick on; nil if there is none.
  public func tick(ofFirst sought: Sought, from tick: UInt64) -> UInt64? {
    lines.first { $0.tick >= tick && sought.matches($0) }?.tick
  }

  /// Returns the tick of the last line that is sought, up to a tick; nil if there is none.
  public func tick(ofLast sought: Sought, upTo tick: UInt64) -> UInt64? {
    lines.last { $0.tick <= tick && sought.matches($0) }?.tick
  }
}
