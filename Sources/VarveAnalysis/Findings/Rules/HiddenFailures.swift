internal import VarveFormat
internal import VarveProbe

/// Finds failures that were handled where no one sees them: one that became nothing at all, and one
/// inner stream's that ended everything above the handler, which took it for the end.
struct HiddenFailures: FindingRule {
  /// What is known of one handler.
  private struct Account {
    /// The failure that it handled last.
    var failure: EventMoment?
    /// The observation of what took the failed stream's place.
    var replacement: (edge: UInt64, began: EventName, delivered: Bool)?
    /// Whether it has delivered a value since its input was started.
    var hasDelivered = false
    /// Failures in whose place nothing came, with the beginnings of what took it.
    var empty: [(failure: EventName, began: EventName)] = []
    var isAfterValues = false
    var emptyCount: UInt64 = 0
  }

  private let facts: FindingFacts
  private var accounts: [UInt32: Account] = [:]
  /// For each input of a handler, the handler.
  private var handling: [UInt32: UInt32] = [:]
  private var replacements: Set<UInt32> = []
  private var endings: [UInt32: EndedFlattening] = [:]
  private var endingOf: [UInt32: [UInt32]] = [:]
  /// Observations of what took a failed stream's place, by edge.
  private var replacing: [UInt64: UInt32] = [:]

  let kinds: Set<RecordKind> = [.failed, .value, .subscribed, .ended]
  var streams: Set<UInt32>? {
    replacements.union(handling.keys).union(accounts.keys).union(endingOf.keys)
  }

  /// The memory for a handler, in bytes.
  private static let bytes = 1_024
  private static let mostExamined = 16
  /// The maximum number of events between a failure and what takes its place.
  private static let mostEvents = 64

  init?(_ facts: FindingFacts) {
    self.facts = facts
    for account in facts.history.streams {
      let handler = account.stream
      guard facts.is(handler, .handlesFailure), !facts.is(handler, .restarts) else { continue }
      let failing = facts.links.inputs(of: handler).filter { facts.failed($0, to: handler) > 0 }
      guard let input = failing.first, facts.walk.take(Self.bytes) else { continue }
      accounts[handler] = Account()
      handling[input] = handler
      replacements.formUnion(facts.links.observed(by: handler).filter { $0 != input })
      if let ending = EndedFlattening(above: input, facts) {
        endings[handler] = ending
        endingOf[ending.source, default: []].append(handler)
      }
    }
    if accounts.isEmpty { return nil }
  }

  mutating func note(_ event: FindingEvent) {
    switch event.kind {
    case .failed:
      if let handler = handling[event.stream] { accounts[handler]?.failure = event.moment }
    case .value: noteValue(event)
    case .subscribed:
      let handler = SubscriptionPayload(word: event.word).stream
      guard accounts[handler] != nil else { return }
      if handling[event.stream] == handler {
        accounts[handler]?.hasDelivered = false
      } else if accounts[handler]?.failure != nil {
        accounts[handler]?.replacement = (event.subscription, event.name, false)
        replacing[event.subscription] = handler
      }
    case .ended:
      guard let handler = replacing.removeValue(forKey: event.subscription) else { return }
      end(of: handler, EndReason(rawValue: UInt8(truncatingIfNeeded: event.word)))
    default: return
    }
  }

  private mutating func noteValue(_ event: FindingEvent) {
    if accounts[event.stream] != nil {
      if accounts[event.stream]?.replacement?.edge == event.subscription {
        accounts[event.stream]?.replacement?.delivered = true
      }
      accounts[event.stream]?.hasDelivered = true
    }
    for handler in endingOf[event.stream] ?? [] where accounts[handler]?.failure != nil {
      endings[handler]?.noteLater(event)
    }
  }

  private mutating func end(of handler: UInt32, _ reason: EndReason?) {
    guard var account = accounts[handler], let replacement = account.replacement else { return }
    account.replacement = nil
    if reason == .completed, !replacement.delivered, let failure = account.failure {
      account.emptyCount += 1
      if account.hasDelivered { account.isAfterValues = true }
      if account.empty.count < Self.mostExamined {
        account.empty.append((failure.name, replacement.began))
      }
    }
    accounts[handler] = account
  }

  mutating func findings() -> [Finding] {
    accounts.sorted { $0.key < $1.key }.compactMap { handler, account in
      ended(handler, account) ?? swallowed(handler, account)
    }
  }

  private func ended(_ handler: UInt32, _ account: Account) -> Finding? {
    guard let ending = endings[handler], let later = ending.firstLater,
      let failure = account.failure, let input = facts.links.inputs(of: handler).first,
      facts.history.subscriptions.pair(StreamEdge(from: input, to: handler))?.open == 0
    else { return nil }
    return Finding(
      .handled, weight: 90, place: .stream(handler),
      "a failure of one inner stream, \(value: failure.name), ended \(stream: ending.flattening) "
        + "for good: \(stream: handler) handles it too late, and "
        + "\(ending.later, "value", "values") of \(stream: ending.source) came after that",
      stream: handler, evidence: [failure.name, later])
  }

  private func swallowed(_ handler: UInt32, _ account: Account) -> Finding? {
    // What has tried again before gives up knowingly.
    guard !facts.links.inputs(of: handler).contains(where: { facts.is($0, .restarts) }),
      let silent = account.empty.first(where: isSilent)
    else { return nil }
    let times: FindingSentence =
      account.emptyCount == 1 ? "" : ", \(account.emptyCount, "time", "times")"
    return Finding(
      .handled, weight: account.isAfterValues ? 60 : 85, place: .stream(handler),
      "\(stream: handler) replaced a failure, \(value: silent.failure), by nothing" + times
        + ": no value says what happened",
      stream: handler, evidence: [silent.failure, silent.began])
  }

  /// Returns whether the code that handled a failure did nothing that the trace shows.
  private func isSilent(_ handled: (failure: EventName, began: EventName)) -> Bool {
    guard let failure = facts.lookup[handled.failure] else { return false }
    var next = facts.lookup.next(after: failure)
    for _ in 0..<Self.mostEvents {
      guard let event = next, event.name != handled.began else { return true }
      switch event.kind {
      case .value, .hopScheduled, .log, .mark:
        if event.causes.contains(failure.name) { return false }
      default: break
      }
      next = facts.lookup.next(after: event)
    }
    return false
  }
}

extension FindingFacts {
  /// Returns how often one stream failed while another observed it.
  func failed(_ stream: UInt32, to other: UInt32) -> UInt64 {
    history.subscriptions.pair(StreamEdge(from: stream, to: other))?.failed ?? 0
  }
}
