public import VarveFormat
public import VarveProbe

/// A sentence about a finding: text in which streams, events, and figures stand for themselves until
/// it is shown, when they get their names, values, and units.
///
///     "\(stream: id) gave up \(count, "run", "runs") when \(event: request) began the next one"
public struct FindingSentence: ExpressibleByStringInterpolation, Sendable, Hashable {
  /// A part of a sentence.
  public enum Part: Sendable, Hashable {
    /// Words.
    case text(String)
    /// A stream's name.
    case stream(UInt32)
    /// A scheduler's name.
    case scheduler(UInt32)
    /// The thread with a ring.
    case thread(UInt32)
    /// An event: its name and what happened.
    case event(EventName)
    /// The value, or the failure, that an event carries.
    case value(EventName)
    /// A number of things, with the word for one and the word for several.
    case count(UInt64, one: String, many: String)
    /// A time, in nanoseconds.
    case duration(UInt64)
    /// A place in the program.
    case place(FindingPlace)
  }

  /// The parts, in order.
  public private(set) var parts: [Part]

  /// Creates a sentence of words alone.
  public init(stringLiteral text: String) { parts = [.text(text)] }

  /// Creates a sentence with parts between the words.
  public init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

  /// Returns two sentences as one.
  public static func + (one: FindingSentence, other: FindingSentence) -> FindingSentence {
    var both = one
    both.parts += other.parts
    return both
  }

  /// Collects the parts of a sentence.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    /// Prepares to collect.
    public init(literalCapacity: Int, interpolationCount: Int) {
      parts.reserveCapacity(2 * interpolationCount + 1)
    }

    /// Adds words.
    public mutating func appendLiteral(_ text: String) {
      if !text.isEmpty { parts.append(.text(text)) }
    }

    /// Adds words.
    public mutating func appendInterpolation(_ text: String) { appendLiteral(text) }

    /// Adds another sentence.
    public mutating func appendInterpolation(_ sentence: FindingSentence) {
      parts += sentence.parts
    }

    /// Adds a stream's name.
    public mutating func appendInterpolation(stream: UInt32) { parts.append(.stream(stream)) }

    /// Adds a scheduler's name.
    public mutating func appendInterpolation(scheduler: UInt32) {
      parts.append(.scheduler(scheduler))
    }

    /// Adds a thread.
    public mutating func appendInterpolation(thread ring: UInt32) { parts.append(.thread(ring)) }

    /// Adds an event.
    public mutating func appendInterpolation(event: EventName) { parts.append(.event(event)) }

    /// Adds the value that an event carries.
    public mutating func appendInterpolation(value event: EventName) {
      parts.append(.value(event))
    }

    /// Adds a number of things: `3 runs`.
    public mutating func appendInterpolation(
      _ count: some BinaryInteger, _ one: String, _ many: String
    ) {
      parts.append(.count(UInt64(clamping: count), one: one, many: many))
    }

    /// Adds a time, in nanoseconds.
    public mutating func appendInterpolation(nanoseconds: UInt64) {
      parts.append(.duration(nanoseconds))
    }

    /// Adds a place in the program.
    public mutating func appendInterpolation(place: FindingPlace) { parts.append(.place(place)) }
  }
}

/// Where in the program a finding points.
public enum FindingPlace: Sendable, Hashable {
  /// Where a stream was made: the line of a source or an operator.
  case stream(UInt32)
  /// Where a producer was left by the code that got it: the functions that return producers are
  /// passed over. Where the stream was made, if that is not known.
  case receiver(of: UInt32)
  /// The innermost frame of a stack in the program's own code.
  case stack(UInt32)
  /// The innermost frame of a stack in the program's own code that is no further in than the frame
  /// at a position, which counts from the innermost frame.
  case frame(UInt32, position: Int)
  /// Of the program's own frames at the inner end of a stack, the outermost: the code that the library
  /// called, and that called what took the stack.
  case entry(UInt32)
  /// The line that runs first when the innermost of the program's own functions of a stack goes on after
  /// it was suspended: what follows the `await`, where that is known, and otherwise its own line.
  case goingOn(UInt32)
  /// The innermost frame of a stack in the program's own code; but of a function that only waits for a
  /// continuation, its caller.
  case waiter(UInt32)
  /// The innermost frame of a stack in a function of the actor that has an executor; in the program's own
  /// code, if there is none.
  case of(UInt32, UInt32)
  /// Of the lines of the program that several stacks have in common, counted from their outer ends, the
  /// innermost.
  case common([UInt32])
  /// Of those lines, the outermost that is not where another stack ends: the call with which a task went
  /// on after the `await` of that stack.
  case reached([UInt32], from: UInt32)
  /// The line of the program in which the code of a stack parted from that of another one: where the
  /// function that both are in called what leads to the first.
  case parting(UInt32, from: UInt32)
  /// A line that a rule has found by itself.
  case line(Place)
}
