/// What kind of events a made trace holds.
public enum TraceKind: String, CaseIterable, Sendable {
  /// Workload W: 20 streams in turn as fast as a thread can, a counter as the payload. The clock
  /// advances in steps, as processors' counters do.
  case w
  /// One stream, exponential gaps of 1 µs on average, a counter as the payload.
  case poisson1
  /// One stream, exponential gaps of 100 µs on average, a counter as the payload.
  case poisson100
  /// One stream, exponential gaps of 1 µs on average, random integers as payloads.
  case random
  /// 20 streams in turn, exponential gaps of 1 µs on average, texts of 20 bytes that end in a number.
  case text
  /// 20 streams one after the other, each for a twentieth of the trace: whole blocks hold one.
  case phases
  /// 1,000 streams in turn, exponential gaps of 1 µs on average, a counter as the payload.
  case wide
  /// The same with 10,000 streams.
  case widest
  /// A program whose pages search as one types: chains of operators, causes, hops between three
  /// threads, runs of a producer.
  case program

  /// How many streams there are.
  var streams: Int {
    switch self {
    case .w, .text, .phases: 20
    case .poisson1, .poisson100, .random: 1
    case .wide: 1_000
    case .widest: 10_000
    case .program: 56
    }
  }

  /// The average gap between two events, in nanoseconds; nil for the clock's own steps.
  var gap: Double? {
    switch self {
    case .w, .phases: nil
    case .poisson1, .random, .text, .wide, .widest, .program: 1_000
    case .poisson100: 100_000
    }
  }

  /// Whether its events are numbers or texts alone, whose entropy can be told.
  public var isPlain: Bool { self != .program }

  /// What it is, for tables.
  public var title: String {
    switch self {
    case .w: "W: 20 streams in turn, counter"
    case .poisson1: "Poisson 1 µs, counter"
    case .poisson100: "Poisson 100 µs, counter"
    case .random: "Poisson 1 µs, random Int64"
    case .text: "Poisson 1 µs, text of 20 bytes"
    case .phases: "20 streams one after the other"
    case .wide: "1,000 streams in turn, counter"
    case .widest: "10,000 streams in turn, counter"
    case .program: "a program of 56 streams on three threads"
    }
  }
}
