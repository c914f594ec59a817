internal import VarveFormat
internal import VarveProbe

/// The place most worth reading on the way to an event: where the program's own operators decided
/// something about it, or kept back what should have come instead.
public struct TellingStep {
  /// The place.
  public enum Choice: Sendable {
    /// A step on the way.
    case decision(Decision)
    /// A place at which other values stopped.
    case stop(Stop)
    /// What was found in the whole trace, and concerns a stream on the way.
    case finding(Finding)
  }

  /// A decision that weighs less says little: a value went on, or was moved.
  private static let leastTelling = 34
  /// How sure a leak is that only this answer sees.
  private static let pileWeight = 60

  /// The choice; nil if there is nothing to choose from.
  public private(set) var choice: Choice?
  /// What would have been chosen without findings, if it says something: at the same place, it tells more.
  public private(set) var nearest: Choice?
  /// The decisions on the way.
  public let decisions: Decisions

  /// Chooses what was found in the whole trace about a stream on the way, or one that it was made from;
  /// without that, the more telling of decisions and stops.
  ///
  /// - Parameters:
  ///   - decisions: the decisions on the way to the event.
  ///   - stops: the places at which other values stopped, the most telling first.
  ///   - path: the path to the event.
  ///   - findings: the findings of the trace, the surest first.
  public init(
    _ decisions: Decisions, _ stops: [Stop], _ path: CausalPath, _ findings: [Finding]
  ) {
    self.init(decisions, stops)
    let streams = decisions.facts.above(path.steps.map(\.event).filter { !$0.isHop }.map(\.stream))
    let events = Set(path.steps.map(\.event.name))
    guard let found = findings.about(streams.contains, events: events) else {
      addPile()
      return
    }
    // Which runs overtook each other is told more closely by where they begin.
    if found.kind == .overtaken, case .sideBySide = decisions.all.first?.kind { return }
    if Self.weight(of: choice) >= Self.leastTelling { nearest = choice }
    choice = .finding(found)
  }

  private static func weight(of choice: Choice?) -> Int {
    switch choice {
    case .decision(let decision): decision.weight
    case .stop(let stop): stop.weight
    case .finding, nil: 0
    }
  }

  /// Of a value that was sent from outside, and reaches more and more observers that the same code attaches,
  /// chooses that code.
  private mutating func addPile() {
    guard case .decision(let decision) = choice, decision.kind == .sent, !decision.event.isHop
    else {
      return
    }
    let facts = decisions.facts
    let pile = facts.openObservations.filter {
      $0.to == 0 && facts.above([$0.from]).contains(decision.event.stream)
    }
    guard let grown = OpenObservations.grown(among: pile),
      let begun = decisions.lookup[grown.newest.name], begun.kind == .subscribed
    else { return }
    let stack = SubscriptionPayload(word: begun.payload.word).stack
    guard stack != 0 else { return }
    choice = .finding(
      Finding(
        .leak, weight: Self.pileWeight, place: .stack(stack),
        "\(stream: grown.from) is observed \(UInt64(grown.count), "time", "times") by the same code, one time after the "
          + "other, and nothing has ended that: each value reaches all of these observers",
        stream: grown.from, evidence: [grown.newest.name, grown.oldest.name]))
  }

  /// Chooses the more telling of decisions and stops.
  public init(_ decisions: Decisions, _ stops: [Stop]) {
    self.decisions = decisions
    let stop = stops.first { $0.isAboutValues }
    switch (decisions.all.first, stop) {
    case (let decision?, let stop?) where decision.weight < stop.weight: choice = .stop(stop)
    case (nil, let stop?): choice = .stop(stop)
    case (let decision?, _): choice = .decision(decision)
    case (nil, nil): choice = nil
    }
  }

  /// Chooses what moved the event to the thread on which it came: the last of the decisions that led
  /// to another scheduler, or, without any, the code that sent the first value.
  ///
  /// - Parameters:
  ///   - decisions: the decisions on the way to the event.
  ///   - found: what was found in the whole trace about the threads of such a stream; it is chosen.
  public init(lastHopIn decisions: Decisions, _ found: Finding? = nil) {
    self.decisions = decisions
    let hop =
      decisions.all.filter { $0.kind == .hop || $0.kind == .taskRun }
      .max { $0.event.isBefore($1.event) }
      ?? decisions.all.first { $0.kind == .sent }
    // Who begins the work elsewhere may have meant to have its values there.
    let mistaken = decisions.all.first { decision in
      guard case .startedElsewhere = decision.kind else { return false }
      return hop.map { $0.event.isBefore(decision.event) } ?? false
    }
    let undone = decisions.all.first { decision in
      if case .undoneHop = decision.kind { true } else { false }
    }
    choice = found.map(Choice.finding) ?? (undone ?? mistaken ?? hop).map(Choice.decision)
  }
}

extension Stop {
  /// Whether it explains a wrong value, and not only that none came.
  fileprivate var isAboutValues: Bool {
    switch reason {
    case .neverStarted, .sourceSilent, .unchanged, .sourceEnded, .queued, .waited, .stuck, .silent:
      false
    case .swallowed, .confused, .ended, .disposed, .abandoned, .failed, .endedByInner,
      .handledFailure, .restarted, .gaveUp, .cutOff, .timedOut, .unobserved, .replayedFewer:
      true
    }
  }
}
