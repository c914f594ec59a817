internal import VarveAnalysis
internal import VarveProbe

/// The words for the reasons why a stream delivered nothing.
struct SilenceWords {
  private let words: TraceWords

  init(_ words: TraceWords) { self.words = words }

  /// A verb phrase after a stream's name: `waits for its 2nd input`.
  func told(_ reason: Silence.Reason, received: UInt64) -> String {
    switch reason {
    case .delivers(let values): "delivered \(Counted.text(values, "value", "values"))"
    case .notSubscribed: "was never started or observed"
    case .notConnected: "is a connection that nobody began: connect() was not called"
    case .sourceSilent: "is a source to which nothing was ever sent"
    case .inputsSilent: "got nothing from its inputs"
    case .waitsForChange(let inputs):
      "waits for a change of its \(Self.ordinals(inputs)) input, which has a value and was never set: "
        + "it observes its signal, not its producer"
    case .waitsFor(let inputs): "waits for its \(Self.ordinals(inputs)) input"
    case .swallowed(let values, let reasons, let isTold): Self.swallowed(values, reasons, isTold)
    case .queued(let count, let scheduler, let since):
      "has \(work(count)) still queued on \(words.scheduler(scheduler)), since #\(since.name) at "
        + words.moment(since.ticks)
    case .disposed(_, let moment):
      "was disposed of, #\(moment.name) at \(words.moment(moment.ticks))"
    case .ended(let kind, let moment):
      "\(kind == .interrupted ? "was interrupted" : kind.name) before it sent a value, "
        + "#\(moment.name) at \(words.moment(moment.ticks))"
    case .noInner: "got values, but made no stream of them"
    case .unknown: "got values; the trace does not say what became of them"
    case .unknownKind: Self.got(received) + "is of a kind that is not known"
    }
  }

  /// The same as a line of a table: `never observed`.
  func line(_ reason: Silence.Reason, received: UInt64) -> String {
    switch reason {
    case .delivers(let values): Counted.text(values, "value", "values")
    case .notSubscribed: "never started or observed"
    case .notConnected: "never connected"
    case .sourceSilent: "nothing was sent"
    case .inputsSilent: "got nothing"
    case .queued(let count, let scheduler, let since):
      "its \(work(count)) still queued on \(words.scheduler(scheduler)), since #\(since.name) at "
        + words.moment(since.ticks)
    case .disposed(_, let moment):
      "its observation was disposed of, #\(moment.name) at \(words.moment(moment.ticks))"
    case .ended(let kind, let moment):
      "\(kind.name) before it sent a value, #\(moment.name) at \(words.moment(moment.ticks))"
    case .unknownKind: Self.got(received) + "is of an unknown kind"
    case .waitsForChange(let inputs): "waits for a change of its \(Self.ordinals(inputs)) input"
    case .waitsFor, .swallowed, .noInner, .unknown: told(reason, received: received)
    }
  }

  private func work(_ count: UInt64) -> String {
    count == 1 ? "work" : "\(Counted.grouped(count)) pieces of work"
  }

  private static func got(_ received: UInt64) -> String {
    received == 0 ? "" : "got \(Counted.text(received, "value", "values")) and "
  }

  private static func ordinals(_ inputs: [Int]) -> String {
    inputs.map { StopText.ordinal($0 + 1) }.joined(separator: " and ")
  }

  private static func swallowed(
    _ values: UInt64, _ reasons: [AbsorptionReason: UInt64], _ isTold: Bool
  ) -> String {
    let all = reasons.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
    let told = all.map { reason, count in
      all.count == 1 ? phrase(reason) : "\(Counted.grouped(count)) \(phrase(reason))"
    }
    let count = Counted.text(values, "value", "values")
    return "swallowed \(count)" + (isTold ? ": " : ", by its nature: ")
      + told.joined(separator: ", ")
  }

  private static func phrase(_ reason: AbsorptionReason) -> String {
    switch reason {
    case .filtered: "filtered out"
    case .repeated: "repeated"
    case .superseded: "replaced by newer ones before they were due"
    case .notSampled: "not sampled"
    case .pastLimit: "outside its limit"
    case .nobodyAttached: "no observer was attached"
    case .gathered: "kept for values that did not come"
    case .ended: "the stream ended before they were due"
    case .control: "used as a trigger or a condition"
    }
  }
}
