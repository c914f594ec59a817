import Testing
import VarveProbe
import VarveReactive
import VarveTestRig
import VarveTesting

/// What became of every value that came into an operator: a law over the table of operators.
@Suite struct AccountingTests {
  @Test(
    "T10: every value that came in led to something, was swallowed for one reason, or is held",
    arguments: OperatorTable.all)
  func everyValueIsAccountedFor(_ subject: OperatorUnderTest) async {
    for ending in [nil] + subject.endings.map(Optional.some) {
      for make in [subject.hot, subject.cold].compactMap({ $0 }) {
        var account: Account?
        let rig = await ProbeRig.record { _ in
          let marker = Marker()
          let trial = make(1)
          for index in 0..<subject.inputCount { trial.send(index) }
          if let ending { trial.end(ending) }
          account = Account(of: marker.name)
          withExtendedLifetime(trial) {}
        }
        for complaint in account?.complaints(in: rig) ?? [] {
          Issue.record("\(subject), \(ending.map { "\($0)" } ?? "going on"): \(complaint)")
        }
      }
    }
  }
}

/// A stream of its own, whose one value tells on which thread a test runs.
private struct Marker {
  let name = "marker \(UInt64.random(in: 0...(.max)))"

  init() {
    let (signal, input) = Signal<Int, Never>.pipe(named: name)
    signal.observeValues { _ in }
    input.send(value: 0)
  }
}

/// Holds the values that passed the subscriptions of one thread against what they led to.
private struct Account {
  let marker: String

  init(of marker: String) { self.marker = marker }

  func complaints(in rig: ProbeRig) -> [String] {
    guard let own = rig.stream(named: marker), let mark = rig.records(.value, of: own.id).first
    else { return ["nothing was recorded"] }
    let all = rig.records.filter { $0.thread == mark.thread && $0.ticks > mark.ticks }
    let streams = Dictionary(rig.streams.map { ($0.id, $0) }) { first, _ in first }
    let effects = Dictionary(
      grouping: all.flatMap { record in record.causes.map { ($0, record) } }, by: \.0
    ).mapValues { $0.map(\.1) }
    let values = Set(all.filter { $0.kind == .value }.map(\.reference))
    let groundless = all.filter { $0.kind == .absorbed && !values.contains($0.causes.last ?? 0) }
      .map { "something that is no value was swallowed: \($0)" }
    return groundless
      + all.indices.filter { all[$0].kind == .subscribed }.flatMap { start -> [String] in
        let edge = all[start]
        guard let fed = streams[SubscriptionPayload(word: edge.word).stream] else { return [] }
        let rest = all[start...].prefix { record in
          !(record.kind == .ended && record.subscription == edge.subscription
            && record.stream == edge.stream)
        }
        let fedHasEnded = all.contains {
          $0.stream == fed.id && [.completed, .failed, .interrupted].contains($0.kind)
        }
        return rest.filter { $0.kind == .value && $0.stream == edge.stream }.compactMap {
          Self.complaint(
            about: $0, into: fed, effects[$0.reference] ?? [], streams, mayBeHeld: !fedHasEnded)
        }
      }
  }

  private static func complaint(
    about value: RigRecord, into fed: StreamDefinition, _ effects: [RigRecord],
    _ streams: [UInt32: StreamDefinition], mayBeHeld: Bool
  ) -> String? {
    let isDelivered = effects.contains { effect in
      switch effect.kind {
      case .value: effect.stream == fed.id || streams[effect.stream]?.parents == [fed.id]
      case .subscribed: SubscriptionPayload(word: effect.word).stream == fed.id
      default: false
      }
    }
    // What happened when a value was given up comes before it among the causes.
    let absorbed = effects.filter {
      $0.kind == .absorbed && $0.stream == fed.id && $0.causes.last == value.reference
    }
    let reasons = absorbed.map { AbsorptionReason(rawValue: UInt8(truncatingIfNeeded: $0.word)) }
    let what = "\(value.word) into \(fed.name)"
    if isDelivered, !absorbed.isEmpty { return "\(what) was delivered, and swallowed: \(reasons)" }
    if absorbed.count > 1 { return "\(what) was swallowed more than once: \(reasons)" }
    if isDelivered || absorbed.count == 1 { return nil }
    let causesEnd = effects.contains {
      $0.stream == fed.id && [.completed, .failed, .interrupted].contains($0.kind)
    }
    let isHeld = mayBeHeld && !(fed.traits ?? []).isDisjoint(with: [.holds, .replays])
    return causesEnd || isHeld ? nil : "\(what) is not accounted for"
  }
}
