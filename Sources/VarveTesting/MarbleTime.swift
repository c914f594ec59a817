public import VarveMarbles
public import VarveReactive

/// Virtual time on which streams are drawn as marbles: makes streams of diagrams, and diagrams of
/// streams. One frame is one millisecond of its scheduler.
///
///     let time = MarbleTime()
///     let source = time.hot("--a--b|", ["a": 1, "b": 2])
///     try time.expect("--x--y|", ["x": 2, "y": 4], from: source.map { $0 * 2 }.producer)
public final class MarbleTime {
  /// The scheduler whose clock the frames are of: give it to the operators under test.
  public let scheduler = TestScheduler()
  private let start: SchedulerInstant

  /// Creates a time that stands at frame 0.
  public init() { start = scheduler.now }

  /// The frame that has been reached.
  public var frame: Int { Int((scheduler.now - start).milliseconds) }

  /// A hot stream that sends what a diagram says, counted from frame 0.
  ///
  /// - Parameters:
  ///   - diagram: what is sent, and when.
  ///   - values: what the letters mean.
  ///   - failure: what `#` means; needed where the diagram has one.
  public func hot<Value: Sendable, Failure: Error>(
    _ diagram: MarbleDiagram, _ values: [Character: Value], failure: Failure? = nil
  ) throws -> Signal<Value, Failure> {
    let (signal, input) = Signal<Value, Failure>.pipe(named: "hot")
    let events = try Self.events(diagram, values, failure)
    for (frame, event) in events {
      scheduler.schedule(at: start + .milliseconds(frame)) { input.send(event) }
    }
    return signal
  }

  /// A cold stream that sends what a diagram says, counted from each start.
  public func cold<Value: Sendable, Failure: Error>(
    _ diagram: MarbleDiagram, _ values: [Character: Value], failure: Failure? = nil
  ) throws -> SignalProducer<Value, Failure> {
    let events = try Self.events(diagram, values, failure)
    let scheduler = scheduler
    return SignalProducer<Value, Failure> { observer, lifetime in
      for (frame, event) in events {
        lifetime += scheduler.schedule(after: .milliseconds(frame)) { observer.send(event) }
      }
      // A stream whose diagram has no end goes on without sending.
      lifetime.observeEnded { withExtendedLifetime(observer) {} }
    }.named("cold")
  }

  /// Starts a producer at the frame that has been reached, lets all the time pass that anything is
  /// scheduled in, and draws what came.
  ///
  /// - Parameters:
  ///   - producer: what is started.
  ///   - letters: the letter of each value.
  /// - Throws: `TestScheduler.RunLimitReached` when something is scheduled again and again for ever.
  public func record<Value: Sendable, Failure: Error>(
    _ producer: SignalProducer<Value, Failure>, letters: @escaping @Sendable (Value) -> Character
  ) throws -> MarbleDiagram {
    let seen = MutableProperty<[TimedMarble]>([])
    let scheduler = scheduler
    let start = start
    let run = producer.start { event in
      let frame = Int((scheduler.now - start).milliseconds)
      let marble: Marble =
        switch event {
        case .value(let value): .value(letters(value))
        case .failed: .failed
        case .completed: .completed
        case .interrupted: .interrupted
        }
      seen.modify { $0.append(TimedMarble(marble, at: frame)) }
    }
    try scheduler.run()
    let marbles = seen.value
    run.dispose()
    return MarbleDiagram(marbles)
  }

  private static func events<Value, Failure: Error>(
    _ diagram: MarbleDiagram, _ values: [Character: Value], _ failure: Failure?
  ) throws(MarbleMismatch) -> [(Int, Event<Value, Failure>)] {
    var events: [(Int, Event<Value, Failure>)] = []
    for timed in diagram.marbles {
      switch timed.marble {
      case .value(let letter):
        guard let value = values[letter] else {
          throw MarbleMismatch("'\(letter)' has no value in the table")
        }
        events.append((timed.frame, .value(value)))
      case .completed: events.append((timed.frame, .completed))
      case .interrupted: events.append((timed.frame, .interrupted))
      case .failed:
        guard let failure else { throw MarbleMismatch("'#' needs a failure") }
        events.append((timed.frame, .failed(failure)))
      case .subscribed: break
      }
    }
    return events
  }
}

extension MarbleTime {
  /// Expects a producer, started now, to send what a diagram says.
  ///
  /// - Throws: `MarbleMismatch`, which shows both diagrams one under the other.
  public func expect<Value: Sendable & Equatable, Failure: Error>(
    _ diagram: MarbleDiagram, _ values: [Character: Value],
    from producer: SignalProducer<Value, Failure>
  ) throws {
    let seen = try record(producer) { value in
      values.first { $0.value == value }?.key ?? "?"
    }
    guard seen.marbles != diagram.marbles else { return }
    throw MarbleMismatch(expected: diagram, seen: seen, of: "\(producer)")
  }

  /// Expects a producer of texts to send what a diagram says, each letter meaning itself.
  public func expect<Failure: Error>(
    _ diagram: MarbleDiagram, from producer: SignalProducer<String, Failure>
  ) throws {
    let letters = diagram.marbles.compactMap { timed -> Character? in
      if case .value(let letter) = timed.marble { letter } else { nil }
    }
    let values = Dictionary(letters.map { ($0, String($0)) }) { first, _ in first }
    try expect(diagram, values, from: producer)
  }
}

/// What a test of marbles throws: it says what was expected and what came.
public struct MarbleMismatch: Error, Hashable, CustomStringConvertible {
  /// What is wrong.
  public let description: String

  init(_ description: String) { self.description = description }

  init(expected: MarbleDiagram, seen: MarbleDiagram, of stream: String) {
    description = """
      \(stream) did not send what was expected
      expected  \(expected)
      seen      \(seen)
      """
  }
}

extension Duration {
  /// Whole milliseconds.
  fileprivate var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }
}
