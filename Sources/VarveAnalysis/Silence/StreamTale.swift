internal import VarveFormat
internal import VarveProbe

/// What one stream above an asked one did, as far as it tells where values stopped.
struct StreamTale {
  /// Values that it swallowed for one reason.
  struct Swallowed {
    var count: UInt64 = 0
    /// The number of them after the asked stream's last value.
    var since: UInt64 = 0
    /// The last few of them, and the values that it had let pass before each.
    var newest: [(value: EventName, kept: EventName?)] = []
    var last: EventMoment?

    fileprivate mutating func note(
      _ value: EventName?, after kept: EventName?, at moment: EventMoment, isSince: Bool
    ) {
      count += 1
      if isSince { since += 1 }
      last = moment
      guard let value else { return }
      if newest.count == StreamTale.mostExamples { newest.removeFirst() }
      newest.append((value, kept))
    }
  }

  /// An event that ended something.
  struct End {
    var kind: RecordKind
    var moment: EventMoment
    var causes: [EventName]
    /// The stack of the code that did it; 0 if unknown.
    var stack: UInt32 = 0
  }

  var values: UInt64 = 0
  /// The number of values after the asked stream's last value.
  var since: UInt64 = 0
  var lastValue: EventMoment?
  /// The number of values before it was observed for the first time, and the last of them.
  var unobserved: UInt64 = 0
  var lastUnobserved: EventMoment?
  /// When it was first observed by a stream on the way, and the stack of the code that did.
  var firstObserved: EventMoment?
  var observerStack: UInt32 = 0
  /// When streams on the way observed it for the first time, some of them.
  var observers: [UInt32: EventMoment] = [:]
  /// The ticks of the last values.
  var ticks = LastTicks()
  var swallowed: [AbsorptionReason: Swallowed] = [:]
  /// Its last completion, failure or interruption; nil after it was started again.
  var end: End?
  var failures: UInt64 = 0
  var lastFailures: [EventName] = []
  /// The stack of the code that observes it from outside all streams, and when that began.
  var outsideStack: UInt32 = 0
  var began: EventMoment?
  /// Observations of it that were given a stack when they ended.
  var edgeEnd: End?
  /// The number of inner streams that it began, and of those that it gave up for newer ones without
  /// a value.
  var runs: UInt64 = 0
  /// The number of inner streams that it gave up for newer ones after a part of their values, the
  /// most values that one of them had sent, and the most that one sent that came to its end.
  var cutOff: UInt64 = 0
  var longestCut: UInt64 = 0
  var longestWhole: UInt64 = 0
  var lastCutOff: EventMoment?
  var wasCutOff: EventMoment?
  var givenUp: UInt64 = 0
  var lastGivenUp: EventMoment?
  var wasGivenUp: EventMoment?
  /// The values that came before the last of its observations, and how many of them it delivered.
  var replay: (before: UInt64, delivered: UInt64, at: EventMoment, isOver: Bool)?

  static let mostExamples = 3
  static let mostObservers = 16

  mutating func noteValue(_ moment: EventMoment, isHot: Bool, isSince: Bool) {
    values += 1
    if isSince { since += 1 }
    lastValue = moment
    if isHot { ticks.append(moment.ticks) }
    guard firstObserved == nil else { return }
    unobserved += 1
    lastUnobserved = moment
  }

  mutating func swallow(
    _ reason: AbsorptionReason, _ value: EventName?, at moment: EventMoment, isSince: Bool
  ) {
    swallowed[reason, default: Swallowed()].note(
      value, after: lastValue?.name, at: moment, isSince: isSince)
  }

  mutating func fail(_ name: EventName) {
    failures += 1
    if lastFailures.count == Self.mostExamples { lastFailures.removeFirst() }
    lastFailures.append(name)
  }
}

/// The ticks of the last values of a stream.
struct LastTicks {
  private var ticks: [UInt64] = []
  private var oldest = 0

  /// The maximum number of ticks kept.
  static let most = 256

  mutating func append(_ tick: UInt64) {
    if ticks.count < Self.most {
      ticks.append(tick)
    } else {
      ticks[oldest] = tick
      oldest = (oldest + 1) % Self.most
    }
  }

  /// Returns the number of ticks after one, and whether there may have been more.
  func count(after tick: UInt64) -> (count: UInt64, hasMore: Bool) {
    let count = ticks.count { $0 > tick }
    return (UInt64(count), count == Self.most)
  }
}
