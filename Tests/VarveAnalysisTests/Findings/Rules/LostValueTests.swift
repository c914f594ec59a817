import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("Values that did not arrive")
struct LostValueTests {
  // MARK: - Dropped at the end

  /// A debounced stream that ends while it holds a value.
  private func draft(
    end: RecordKind = .completed, source: StreamTraits = .hot, last: String = "milk",
    goesOn: Bool = false, delivered: Int = 1, operation: String = "debounce"
  ) throws -> [Finding] {
    var script = TraceScript()
    let edits = script.stream("edits", traits: source)
    let saved = script.stream("saved", operation, from: [edits])
    _ = script.subscribe(edits, to: saved, at: 0)
    _ = script.subscribe(saved, at: 0)
    script.value(edits, "milk", at: 1)
    for _ in 0..<delivered { script.value(saved, "milk", at: 10) }
    let value = script.value(edits, last, at: 11)
    let ended = script.record(end, of: edits, at: 12)
    script.record(
      .absorbed, of: saved, .reason(AbsorptionReason.ended.rawValue), at: 12,
      causes: [ended, value])
    if goesOn { script.value(script.stream("other"), "1", at: 50) }
    return try script.findings()
  }

  @Test("G1: the last value that debounce holds when its input completes is lost")
  func dropped() throws {
    let found = try draft(last: "milk, eggs")
    #expect(found.count == 1)
    #expect(found.first?.is(.partial, at: 2) == true)
    #expect(found.first?.evidence == ["1.5", "1.6"])
  }

  @Test("G2: one sample less of a stream that is sampled again and again is no loss")
  func sampled() throws {
    let last = "milk, eggs"
    #expect(try !draft(last: last, delivered: 7, operation: "throttle").isEmpty)
    #expect(try draft(last: last, delivered: 8, operation: "throttle").isEmpty)
  }

  @Test("G1: a debounce that delivered often loses its last value none the less")
  func droppedAfterMany() throws {
    #expect(try !draft(last: "milk, eggs", delivered: 8).isEmpty)
  }

  @Test("G1: what failed or was cancelled is no loss, nor is what had been delivered before")
  func droppedOnPurpose() throws {
    #expect(try draft(end: .failed, last: "milk, eggs").isEmpty)
    #expect(try draft(end: .interrupted, last: "milk, eggs").isEmpty)
    #expect(try draft(last: "milk").isEmpty)
  }

  @Test("G2: a property that goes away at the end of the program loses nothing")
  func droppedAtTheEnd() throws {
    #expect(try draft(source: [.hot, .replays], last: "milk, eggs").isEmpty)
    #expect(try !draft(source: [.hot, .replays], last: "milk, eggs", goesOn: true).isEmpty)
  }

  // MARK: - Not replayed

  /// A late observer of a subject that had sent five values.
  private func late(
    replayed: Int, isGathered: Bool, standIn: StreamTraits = .standsIn
  ) throws -> [Finding] {
    var script = TraceScript()
    let goals = script.stream("goals", traits: [.hot, .replays])
    let producer = script.stream("goals.producer", "producer", from: [goals], traits: standIn)
    let score = script.stream(
      "score", "scan", from: [producer], traits: isGathered ? .gathers : [])
    for goal in 0..<5 { script.value(goals, "\(goal)", at: Double(goal)) }
    _ = script.subscribe(goals, at: 10)
    _ = script.subscribe(producer, to: score, at: 10)
    _ = script.subscribe(score, at: 10)
    for goal in 5 - replayed..<5 {
      script.value(producer, "\(goal)", at: 11)
      script.value(score, "\(goal)", at: 11, back: 1)
    }
    script.value(goals, "5", at: 20)
    script.value(producer, "5", at: 20, back: 1)
    script.value(score, "5", at: 20, back: 1)
    return try script.findings()
  }

  @Test("G1: a late observer that gathers what it gets misses what is not replayed")
  func shortReplay() throws {
    for replayed in [1, 2, 4] {
      let found = try late(replayed: replayed, isGathered: true)
      #expect(found.count == 1)
      #expect(found.first?.is(.partial, at: 1) == true)
      #expect(found.first?.weight == 75)
    }
  }

  @Test("G1: a few values of many are less likely a mistake where nothing gathers them")
  func recentValues() throws {
    #expect(try late(replayed: 2, isGathered: false).map(\.weight) == [45])
  }

  @Test("G1: the latest value alone is a state, and a replay of everything misses nothing")
  func completeReplay() throws {
    #expect(try late(replayed: 1, isGathered: false).isEmpty)
    #expect(try late(replayed: 5, isGathered: true).isEmpty)
    #expect(try late(replayed: 1, isGathered: true, standIn: [.standsIn, .replays]).isEmpty)
  }

  // MARK: - Skipped

  /// A join of a property with another stream, whose value comes first.
  private func converter(
    usesChanges: Bool = true, change: Double? = 200, absorbs: AbsorptionReason = .gathered,
    takenBy takers: [[UInt64]] = []
  ) throws -> [Finding] {
    var script = TraceScript()
    script.stack(1, [0x10, 0x20, 0x30, 0x40])
    for (number, frames) in takers.enumerated() { script.stack(UInt32(2 + number), frames) }
    let amount = script.property("amount")
    let rate = script.stream("rate")
    let input = usesChanges ? amount.changes : amount.producer
    let converted = script.stream(
      "converted", "combineLatest", from: [input, rate], absorbs: absorbs, stack: 1)
    for number in takers.indices {
      let taken = SubscriptionPayload(stream: amount.changes, stack: UInt32(2 + number))
      script.record(.read, of: amount.changes, .subscription(taken), at: 0)
    }
    _ = script.subscribe(input, to: converted, at: 0)
    _ = script.subscribe(rate, to: converted, at: 0)
    _ = script.subscribe(converted, at: 0)
    if !usesChanges { script.value(amount.producer, "250", at: 0) }
    script.value(rate, "1.1", at: 10)
    if !usesChanges { script.value(converted, "275", at: 10, back: 1) }
    if let change {
      script.value(amount.changes, "100", at: change)
      script.value(converted, "110", at: change, back: 1)
    }
    return try script.findings()
  }

  @Test("G1: a join that observes a property's changes waits, though the property has a value")
  func skipped() throws {
    let found = try converter()
    #expect(found.map(\.kind) == [.partial])
    #expect(found.first?.place == .stream(4))
    #expect(found.first?.evidence == ["1.4"])
    #expect(try converter(change: nil).contains { $0.is(.partial, at: 4) })
  }

  @Test("G1: where it is known who took the changes for the join, that line is the place")
  func takenChanges() throws {
    func place(_ takers: [UInt64]...) throws -> FindingPlace? {
      try converter(takenBy: takers).first?.place
    }
    // From the same function as the join, directly or by way of another function.
    #expect(try place([0x11, 0x21, 0x30, 0x40]) == .frame(2, position: 1))
    #expect(try place([0x11, 0x12, 0x21, 0x30, 0x40]) == .frame(2, position: 2))
    // The nearest counts, and of those the last.
    #expect(try place([0x11, 0x21, 0x30, 0x40], [0x11, 0x31, 0x40]) == .frame(2, position: 1))
    #expect(
      try place([0x11, 0x21, 0x30, 0x40], [0x11, 0x22, 0x30, 0x40]) == .frame(3, position: 1))
    // Nothing in common.
    #expect(try place([0x11, 0x41]) == .stream(4))
  }

  @Test("G1: a join that observes the property misses nothing, nor do changes one after the other")
  func notSkipped() throws {
    #expect(try converter(usesChanges: false).isEmpty)
    #expect(try converter(change: 11).isEmpty)
    #expect(try converter(absorbs: .notSampled).isEmpty)
  }

  // MARK: - Sent too early

  private func banner(
    sentBefore: Bool, sentAfter: Bool = false, traits: StreamTraits = .hot
  ) throws -> [Finding] {
    var script = TraceScript()
    let events = script.stream("events", traits: traits)
    if sentBefore { script.value(events, "restored", at: 1) }
    _ = script.subscribe(events, at: 2)
    if sentAfter { script.value(events, "expired", at: 3) }
    return try script.findings()
  }

  @Test("G1: values that all came before the first observer reached no one")
  func tooEarly() throws {
    let found = try banner(sentBefore: true)
    #expect(found.count == 1)
    #expect(found.first?.is(.partial, at: 1) == true)
    #expect(found.first?.evidence == ["1.1", "1.2"])
  }

  @Test("G1: a stream that goes on, or repeats what was sent, was observed in time")
  func inTime() throws {
    #expect(try banner(sentBefore: true, sentAfter: true).isEmpty)
    #expect(try banner(sentBefore: false, sentAfter: true).isEmpty)
    #expect(try banner(sentBefore: true, traits: [.hot, .replays]).isEmpty)
  }
}
