public import VarveProbe

/// Why a stream delivered nothing: the stream, what it waited for, and so on up to where the values
/// stopped.
public struct Silence: Sendable {
  /// What was found out about one stream along the way.
  public enum Reason: Sendable, Hashable {
    /// It is not silent; the number of values that it delivered.
    case delivers(UInt64)
    /// It requested nothing because it was never started or observed.
    case notSubscribed
    /// It is a connection, whose observers share one run of a producer, and nothing began that run.
    case notConnected
    /// It is a source, and nothing was sent into it.
    case sourceSilent
    /// Its inputs sent nothing.
    case inputsSilent
    /// It needs a value from each input, and the inputs at these positions, from 0, sent none.
    case waitsFor(inputs: [Int])
    /// It needs a value from each input, and the inputs at these positions, from 0, have a value, but
    /// tell only of changes, of which there was none: a property's `signal`.
    case waitsForChange(inputs: [Int])
    /// It absorbed all values that it received. When the trace has no records of the reason,
    /// `isTold` is false and the reason is the operator's usual one.
    case swallowed(UInt64, reasons: [AbsorptionReason: UInt64], isTold: Bool)
    /// Work that would deliver values is still queued on a scheduler.
    case queued(UInt64, scheduler: UInt32, since: EventMoment)
    /// Its observation of an input was disposed of.
    case disposed(input: Int, at: EventMoment)
    /// It ended first.
    case ended(RecordKind, at: EventMoment)
    /// It received values from which to create streams, but no such stream began.
    case noInner
    /// It received values, and the trace does not say what became of them.
    case unknown
    /// The reason depends on the kind of stream, which the trace, written by an older version, does
    /// not record.
    case unknownKind
  }

  /// One stream along the way.
  public struct Step: Sendable {
    /// The stream.
    public var stream: UInt32
    /// What was found out about it.
    public var reason: Reason
    /// Its distance from the stream in question.
    public var depth: Int
    /// Its position among several inputs of the stream that it feeds, from 0; nil for the stream in
    /// question, an only input, and inner streams.
    public var input: Int?
    /// The number of values that it received.
    public var received: UInt64
    /// Whether the trace records the stream's kind. Traces of older versions do not, so the stream
    /// may be silent for a reason that they cannot show.
    public var isKindKnown: Bool
    /// Whether the values stopped here.
    public var isCulprit: Bool
  }

  /// The stream in question, followed by the streams that it waited for, depth first.
  public private(set) var steps: [Step] = []

  /// The steps at which the values stopped; empty when the stream is not silent.
  public var culprits: [Step] { steps.filter(\.isCulprit) }

  private let facts: SilenceFacts
  private var seen: Set<UInt32> = []

  /// The maximum number of streams examined.
  private static let mostSteps = 200

  /// Finds out why `stream` is silent.
  public init(of stream: UInt32, in facts: SilenceFacts) {
    self.facts = facts
    explain(stream, depth: 0, input: nil)
  }

  private mutating func explain(_ stream: UInt32, depth: Int, input: Int?) {
    guard steps.count < Self.mostSteps else { return }
    let inputs = facts.inputs(of: stream)
    let received = inputs.reduce(0) { $0 + facts.delivered(from: $1.stream, to: stream) }
    let isNew = seen.insert(stream).inserted
    let reason =
      facts.values(of: stream) > 0 && !(depth == 0)
      ? Reason.delivers(facts.values(of: stream))
      : reason(of: stream, inputs, received: received)
    let position = steps.count
    steps.append(
      Step(
        stream: stream, reason: reason, depth: depth, input: input, received: received,
        isKindKnown: !facts.isOfUnknownKind(stream), isCulprit: false))
    guard isNew else { return }
    for next in leads(reason, inputs, to: stream) {
      explain(next.stream, depth: depth + 1, input: inputs.count > 1 ? next.position : nil)
    }
    if case .waitsForChange = reason {
      // What has a value is not to blame that it did not change.
      for index in (position + 1)..<steps.count { steps[index].isCulprit = false }
    }
    let found = steps[(position + 1)...].contains(where: \.isCulprit)
    if !found { steps[position].isCulprit = Self.stops(reason) }
  }

  /// Returns the inputs to examine further.
  private func leads(
    _ reason: Reason, _ inputs: [SilenceFacts.Input], to stream: UInt32
  ) -> [SilenceFacts.Input] {
    switch reason {
    case .waitsFor, .waitsForChange: return inputs
    case .inputsSilent: return inputs
    case .delivers, .notSubscribed, .notConnected, .sourceSilent, .swallowed, .queued, .disposed,
      .ended, .noInner, .unknown, .unknownKind:
      return []
    }
  }

  private static func stops(_ reason: Reason) -> Bool {
    switch reason {
    case .delivers: false
    case .notSubscribed, .notConnected, .sourceSilent, .inputsSilent, .waitsFor, .waitsForChange,
      .swallowed, .queued, .disposed, .ended, .noInner, .unknown, .unknownKind:
      true
    }
  }

  // MARK: - One stream

  private func reason(
    of stream: UInt32, _ inputs: [SilenceFacts.Input], received: UInt64
  ) -> Reason {
    let account = facts.history.stream(stream) ?? StreamAccount(stream: stream)
    if account.values > 0 { return .delivers(account.values) }
    if inputs.isEmpty { return sourceReason(account) }
    if let queued = facts.queuedWork(of: stream, inputs.map(\.stream)) { return queued }
    let attached = inputs.filter { facts.isAttached($0.stream, to: stream) }
    if attached.isEmpty { return unattachedReason(account, inputs) }
    if let missing = missingInputs(of: stream, inputs) { return missing }
    if received == 0 {
      if let disposed = disposal(of: stream, inputs) { return disposed }
      if let end = facts.end(of: account), !inputs.contains(where: { facts.ended($0.stream) }) {
        return .ended(end.kind, at: end.moment)
      }
      return .inputsSilent
    }
    if facts.is(stream, .makesStreams) { return innerReason(stream, inputs) }
    return swallowedReason(account, received, inputs)
  }

  private func sourceReason(_ account: StreamAccount) -> Reason {
    let end = facts.end(of: account)
    if let end, end.kind != .interrupted { return .ended(end.kind, at: end.moment) }
    guard end != nil || account.subscriptions == 0 else { return .sourceSilent }
    if facts.isOfUnknownKind(account.stream) { return .unknownKind }
    // A pipe is interrupted when its input goes away; that does not explain its earlier silence.
    guard facts.isCold(account.stream) else { return .sourceSilent }
    return end.map { .ended($0.kind, at: $0.moment) } ?? .notSubscribed
  }

  private func unattachedReason(
    _ account: StreamAccount, _ inputs: [SilenceFacts.Input]
  ) -> Reason {
    if let end = facts.end(of: account) { return .ended(end.kind, at: end.moment) }
    if account.subscriptions == 0 { return .notSubscribed }
    return isConnection(account.stream, inputs) ? .notConnected : .inputsSilent
  }

  /// Returns whether a stream goes on whoever observes it, and its input runs only when it is started.
  private func isConnection(_ stream: UInt32, _ inputs: [SilenceFacts.Input]) -> Bool {
    facts.is(stream, .hot) && inputs.count == 1 && facts.isCold(inputs[0].stream)
      && facts.pair(inputs[0].stream, stream) == nil
  }

  /// Returns the inputs that a joining stream lacks, as a reason.
  private func missingInputs(of stream: UInt32, _ inputs: [SilenceFacts.Input]) -> Reason? {
    guard facts.needsAll(stream) else { return nil }
    let missing = inputs.filter {
      $0.position != nil && facts.delivered(from: $0.stream, to: stream) == 0
    }
    guard !missing.isEmpty, missing.count < inputs.count else { return nil }
    if missing.allSatisfy({
      facts.is($0.stream, [.hot, .replays]) && facts.values(of: $0.stream) == 0
    }) {
      return .waitsForChange(inputs: missing.compactMap(\.position))
    }
    return .waitsFor(inputs: missing.compactMap(\.position))
  }

  private func disposal(of stream: UInt32, _ inputs: [SilenceFacts.Input]) -> Reason? {
    for input in inputs {
      guard let pair = facts.history.subscriptions.pair(StreamEdge(from: input.stream, to: stream)),
        pair.open == 0, pair.lastReason == .disposed, let moment = pair.lastEnd,
        !facts.history.isTakenDown(moment)
      else { continue }
      return .disposed(input: input.position ?? 0, at: moment)
    }
    return nil
  }

  private func innerReason(_ stream: UInt32, _ inputs: [SilenceFacts.Input]) -> Reason {
    let inner = inputs.filter { $0.position == nil }
    if inner.isEmpty { return .noInner }
    let received = inner.reduce(0) { $0 + facts.delivered(from: $1.stream, to: stream) }
    return received == 0 ? .inputsSilent : .unknown
  }

  private func swallowedReason(
    _ account: StreamAccount, _ received: UInt64, _ inputs: [SilenceFacts.Input]
  ) -> Reason {
    if account.absorbedValues > 0 {
      return .swallowed(account.absorbedValues, reasons: account.absorbed, isTold: true)
    }
    if let reason = facts.definition(account.stream)?.absorbs {
      return .swallowed(received, reasons: [reason: received], isTold: false)
    }
    if facts.isOfUnknownKind(account.stream) { return .unknownKind }
    if let end = facts.end(of: account) { return .ended(end.kind, at: end.moment) }
    return disposal(of: account.stream, inputs) ?? .unknown
  }
}
