import Measurement
import Varve

/// What becomes of an event's cost when there is more of everything else.
public enum GrowthWorkload {
  private static let deliveries = 2_000_000

  /// CPU nanoseconds of a delivery when so many observe.
  public static func delivery(observers: Int) -> Double {
    let (output, input) = Signal<Int, Never>.pipe()
    let tally = Tally()
    for _ in 0..<observers { output.observeValues { tally.add($0) } }
    return cost(of: deliveries / observers, to: input) / Double(observers)
  }

  /// CPU nanoseconds of an event for each of so many stages.
  public static func stage(stages: Int) -> Double {
    let (output, input) = Signal<Int, Never>.pipe()
    let tally = Tally()
    chain(output, stages).observeValues { tally.add($0) }
    return cost(of: deliveries / stages, to: input) / Double(stages)
  }

  /// CPU nanoseconds of an event that a filter rejects in front of so many stages.
  public static func rejection(stages: Int) -> Double {
    let (output, input) = Signal<Int, Never>.pipe()
    let tally = Tally()
    chain(output.filter { $0 < 0 }, stages).observeValues { tally.add($0) }
    return cost(of: deliveries / 4, to: input)
  }

  /// CPU nanoseconds of an event while so many other streams are alive and observed.
  public static func event(otherStreams: Int) -> Double {
    let tally = Tally()
    let others = (0..<otherStreams).map { _ in Signal<Int, Never>.pipe() }
    for other in others { other.output.observeValues { tally.add($0) } }
    let (output, input) = Signal<Int, Never>.pipe()
    output.observeValues { tally.add($0) }
    return withExtendedLifetime(others) { cost(of: deliveries / 4, to: input) }
  }

  private static func chain(_ signal: Signal<Int, Never>, _ stages: Int) -> Signal<Int, Never> {
    (0..<stages).reduce(signal) { chain, _ in chain.map { $0 &+ 1 } }
  }

  private static func cost(of events: Int, to input: Signal<Int, Never>.Observer) -> Double {
    let before = CPUClock.thread.now
    for value in 0..<events { input.send(value: value) }
    return Double(CPUClock.thread.now - before) / Double(events)
  }
}
