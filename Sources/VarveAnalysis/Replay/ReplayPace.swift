/// The pace at which a trace's events are replayed: as recorded, faster, or slower.
public struct ReplayPace: Sendable, Hashable {
  /// The speed as a multiple of the recorded one.
  public let speed: Double
  /// The longest pause, in nanoseconds of the viewer's time; nil for no limit.
  public let idleLimit: UInt64?

  private var lastTime: Int64?
  private var dueTime: Double = 0

  /// Creates a pace.
  public init(speed: Double = 1, idleLimit: UInt64? = nil) {
    self.speed = speed
    self.idleLimit = idleLimit
  }

  /// Reads a speed: `1x`, `0.1x`, `4`.
  ///
  /// - Throws: a `SelectionError` whenever the text is no number above 0.
  public static func speed(_ text: String) throws(SelectionError) -> Double {
    let number = text.hasSuffix("x") ? text.dropLast() : text[...]
    guard let speed = Double(number), speed > 0, speed.isFinite else {
      throw SelectionError("\"\(text)\" is no speed; try \"1x\", \"4x\" or \"0.1x\"")
    }
    return speed
  }

  /// Returns the length of a recorded pause for the viewer, in nanoseconds.
  public func scaled(_ pause: UInt64) -> UInt64 {
    min(UInt64(min(Double(pause) / speed, 1e18)), idleLimit ?? .max)
  }

  /// Returns the nanoseconds after the first event at which an event of the given time is due.
  public mutating func due(_ time: Int64) -> UInt64 {
    let step = Double(max(time - (lastTime ?? time), 0)) / speed
    dueTime += min(step, idleLimit.map { Double($0) } ?? .infinity)
    lastTime = max(lastTime ?? time, time)
    return UInt64(min(dueTime, 1e18))
  }
}
