public import VarveMarbles
public import VarveReactive

/// Virtual time for marble diagrams: creates streams from diagrams, and diagrams from streams. One
/// frame is one millisecond of its scheduler.
///
///     let time = MarbleTime()
///     let source = time.hot("--a--b|", ["a": 1, "b": 2])
///     try time.expect("--x--y|", ["x": 2, "y": 4], from: source.map { $0 * 2 }.producer)
public final class MarbleTime {
  /// The scheduler whose clock counts the frames. Pass it to the operators under test.
  public let scheduler = TestScheduler()
  private let start: SchedulerInstant

  /// Creates a virtual time at frame 0.
  public init() { start = scheduler.now }

  /// The current frame.
  public var frame: Int { Int((scheduler.now - start).milliseconds) }

  /// Returns a hot stream that sends the events of a diagram, counted from frame 0.
  ///
  /// - Parameters:
  ///   - diagram: the events and their frames.
  ///   - values: the value for each letter.
  ///   - failure: the failure for `#`; needed if the diagram contains one.
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

  /// Returns a cold stream that sends the events of a diagram, counted from each start.
  public func cold<Value: Sendable, Failure: Error>(
    _ diagram: MarbleDiagram, _ values: [Character: Value], failure: Failure? = nil
  ) throws -> SignalProducer<Value, Failure> {
    let events = try Self.events(diagram, values, failure)
    let scheduler = scheduler
    return SignalProducer<Value, Failure> { observer, lifetime in
      for (frame, event) in events {
        lifetime += scheduler.schedule(after: .milliseconds(frame)) { observer.send(event) }
      }
      // If the diagram has no end, the stream stays active without sending.
      lifetime.observeEnded { withExtendedLifetime(observer) {} }
    }.named("cold")
  }

  /// Starts a producer at the current frame, advances the time until nothing is scheduled, and
  /// draws the events of the producer.
  ///
  /// - Parameters:
  ///   - producer: the producer to start.
  ///   - letters: the letter of each value.
  /// - Throws: `TestScheduler.RunLimitReached` if actions are scheduled indefinitely.
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
  /// Expects a producer, started now, to send the events of a diagram.
  ///
  /// - Throws: `MarbleMismatch`, which shows both diagrams one below the other.
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

  /// Expects a producer of strings to send the events of a diagram, in which each letter stands for
  /// itself.
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

/// An error that shows the expected and the actual events of a stream.
public struct MarbleMismatch: Error, Hashable, CustomStringConvertible {
  /// A description of the mismatch.
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
  /// The whole milliseconds of the duration.
  fileprivate var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }
}
