import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("What is found where something grows, or goes round")
struct GrowthFindingTests {
  // MARK: - Leaks

  @Test("observations begun by plain code, time and again, are a leak, at the code that observes")
  func plainLeak() throws {
    var script = TraceScript()
    let messages = script.stream("messages", line: 1)
    let filter = script.stream("messages.filter(_:)", "filter(_:)", from: [messages], derived: true)
    for visit in 0..<12 {
      _ = script.subscribe(messages, to: filter, at: Double(visit) * 10)
      _ = script.subscribe(filter, at: Double(visit) * 10, by: 7)
      script.value(messages, "\(visit)", at: Double(visit) * 10 + 5)
    }
    let found = try script.found()
    #expect(found.map(\.kind) == [.leak])
    #expect(found.first?.stream == messages)
    #expect(found.first?.place == .stack(7))
  }

  @Test(
    "G1: what is bound to the parts of an action made each time is held by the action, if by any")
  func heldByAction() throws {
    for isObserved in [false, true] {
      var script = TraceScript()
      let clock = script.stream("clock", line: 1)
      script.code(0x2000, "Panel.init()", line: 2)
      script.stack(7, [0x2000])
      var action: UInt32 = 0
      for number in 0..<20 {
        let time = Double(number) * 50
        let text = script.stream("text", "property", traits: [.hot, .replays])
        _ = script.subscribe(clock, to: text, at: time, by: 7)
        action = script.stream("toggle", "action", line: 3, traits: .hot)
        _ = script.stream(
          "toggle.isExecuting", "isExecuting", from: [action], traits: [.hot, .replays])
        let values = script.stream("toggle.values", "values", from: [action], traits: .hot)
        _ = script.subscribe(action, to: values, at: time + 1)
        if isObserved { _ = script.subscribe(values, at: time + 1, by: 7) }
      }
      script.value(clock, "tick", at: 1_000)
      let found = try script.findings()
      let first = try #require(found.first)
      #expect(found.allSatisfy { $0.kind == .leak } && found.count == 2)
      #expect((first.place == .stream(action)) == !isObserved, "\(found)")
    }
  }

  @Test("observations that plain code begins at once, at the launch, are no leak")
  func launch() throws {
    var script = TraceScript()
    let messages = script.stream("messages", line: 1)
    for _ in 0..<12 { _ = script.subscribe(messages, at: 1, by: 7) }
    for visit in 0..<100 { script.value(messages, "\(visit)", at: Double(visit)) }
    #expect(try script.found().isEmpty)
  }

  @Test("a flattening whose inner streams never end is a leak, at the flattening")
  func innerStreams() throws {
    var script = TraceScript()
    let center = script.stream("center", "property", line: 1)
    let server = script.stream("server", "interval", line: 2, traits: [])
    let friends = script.stream("friends", "flatMap(.merge)", from: [center], line: 3)
    for step in 0..<12 {
      script.value(center, "\(step)", at: Double(step) * 10)
      script.record(
        .subscribed, of: server, .stream(friends), at: Double(step) * 10,
        subscription: 100 + UInt64(step), back: 1)
    }
    let found = try script.found()
    #expect(found.map(\.kind) == [.leak])
    #expect(found.first?.place == .stream(friends))
    #expect(found.first?.count == 12)
  }

  // MARK: - Loops

  /// Two properties bound to each other.
  private struct Binding {
    var script = TraceScript()
    let euros: UInt32
    let toDollars: UInt32
    let dollars: UInt32
    let toEuros: UInt32

    init(types: (String, String) = ("Int", "Int")) {
      euros = script.stream("euros", "property", type: types.0, line: 1)
      toDollars = script.stream("toDollars", "map(_:)", from: [euros], type: types.1, line: 2)
      dollars = script.stream("dollars", "property", type: types.1, line: 3)
      toEuros = script.stream("toEuros", "map(_:)", from: [dollars], type: types.0, line: 4)
      _ = script.subscribe(euros, to: toDollars, at: 0)
      _ = script.subscribe(toDollars, at: 0, by: 11)
      _ = script.subscribe(dollars, to: toEuros, at: 1)
      _ = script.subscribe(toEuros, at: 1, by: 12)
    }

    /// One round; `changes` says which streams send a value other than their input's.
    mutating func turn(_ number: Int, at time: Double, from back: UInt32, changes: [UInt32]) {
      // Each round goes on from the value with which the last one ended.
      var value = number * changes.count
      for (index, stream) in [euros, toDollars, dollars, toEuros].enumerated() {
        if changes.contains(stream) { value += 1 }
        script.value(stream, "\(value)", at: time, back: index == 0 ? back : 1)
      }
    }
  }

  @Test("two bindings that feed each other are a loop, at the binding that closes it")
  func loop() throws {
    var binding = Binding()
    for turn in 0..<150 {
      binding.turn(
        turn, at: 10 + Double(turn), from: turn == 0 ? 0 : 1,
        changes: [binding.toDollars, binding.toEuros])
    }
    let found = try binding.script.found()
    #expect(found.map(\.kind) == [.feedback])
    #expect(found.first?.place == .stack(12))
    #expect(found.first?.count == 150)
  }

  @Test("where a single operator changes the value in each turn, the loop is at that operator")
  func changing() throws {
    var binding = Binding()
    for turn in 0..<150 {
      binding.turn(
        turn, at: 10 + Double(turn), from: turn == 0 ? 0 : 1, changes: [binding.toDollars])
    }
    #expect(try binding.script.found().map(\.place) == [.stream(binding.toDollars)])
  }

  @Test(
    "where values of two types go round, an operator that turns one into another is none's fault")
  func converting() throws {
    var binding = Binding(types: ("Int", "String"))
    for turn in 0..<150 {
      binding.turn(
        turn, at: 10 + Double(turn), from: turn == 0 ? 0 : 1, changes: [binding.toDollars])
    }
    #expect(try binding.script.found().map(\.place) == [.stack(12)])
  }

  @Test("a loop of forty turns is one if it makes up most of a stream; so is one that has ended")
  func shortLoop() throws {
    var few = Binding()
    for turn in 0..<40 {
      few.turn(turn, at: 10 + Double(turn) * 10, from: turn == 0 ? 0 : 1, changes: [])
    }
    #expect(try few.script.found().map(\.kind) == [.feedback])
    var ended = Binding()
    for turn in 0..<150 {
      ended.turn(turn, at: 10 + Double(turn), from: turn == 0 ? 0 : 1, changes: [])
    }
    ended.turn(150, at: 170, from: 0, changes: [])
    #expect(try ended.script.found().map(\.kind) == [.feedback])
    var mostlySent = Binding()
    for turn in 0..<90 {
      mostlySent.turn(turn, at: 10 + Double(turn) * 300, from: turn < 75 ? 0 : 1, changes: [])
    }
    #expect(try mostlySent.script.found().isEmpty)
  }

  @Test("G1: a loop that code closes which observes and sends is at the line that sends")
  func sentOn() throws {
    var script = TraceScript()
    let text = script.stream("text", "property", line: 1)
    let saved = script.stream("text.map(_:)", "map(_:)", from: [text], derived: true, line: 2)
    _ = script.subscribe(text, to: saved, at: 0)
    _ = script.subscribe(saved, at: 0, by: 9)
    for turn in 0..<120 {
      script.value(text, "\(turn)", at: 10 + Double(turn), back: turn == 0 ? 0 : 1)
      script.record(
        .sent, of: text, .cause(HopPayload(stack: 6, parent: 0)), at: 10 + Double(turn),
        back: 1)
      script.record(
        .value, of: saved, .string("\(turn)"), at: 10 + Double(turn), back: 2)
    }
    let found = try script.found()
    #expect(found.map(\.kind) == [.feedback])
    #expect(found.first?.place == .stack(6))
  }

  /// An action that is started by its own failures, each after a hop, or by something else.
  private func circle(
    turns: Int, isFed: Bool, apart milliseconds: Double = 1, isRetried: Bool = false
  ) throws -> (found: [Finding], action: UInt32) {
    var script = TraceScript()
    let queue = script.scheduler("interface")
    let action = script.stream("refresh", "action", line: 1, traits: .hot)
    let errors = script.stream(
      "refresh.errors", "errors", from: [action], derived: true, line: 1, traits: .hot)
    let moved = script.stream(
      "refresh.errors.observe", "observe(on:)", from: [errors], derived: true, line: 2)
    _ = script.subscribe(errors, to: moved, at: 0)
    _ = script.subscribe(moved, at: 0, by: 9)
    if isRetried { _ = script.stream("all", "retry()", from: [action], traits: .restarts) }
    var last: EventName?
    for turn in 0..<turns {
      let time = 10 + Double(turn) * milliseconds
      let failed = script.record(
        .failed, of: action, .string("offline"), at: time,
        causes: isFed ? last.map { [$0] } ?? [] : [])
      let error = script.record(
        .value, of: errors, .string("offline"), at: time, causes: [failed])
      let hop = UInt64(turn) + 1
      let given = script.record(
        .hopScheduled, of: queue, at: time, subscription: hop, causes: [error])
      let began = script.record(
        .hopBegan, of: queue, at: time + 0.1, subscription: hop, causes: [given])
      last = script.record(
        .value, of: moved, .string("offline"), at: time + 0.1, causes: [began, error])
      script.record(.hopEnded, of: queue, at: time + 0.1, subscription: hop)
    }
    return (try script.found(), action)
  }

  @Test("G1: an action that its own failure starts again fails in a circle, at what starts it")
  func failingCircle() throws {
    let (found, action) = try circle(turns: 60, isFed: true)
    let first = try #require(found.first { $0.kind == .retries })
    #expect(first.stream == action && first.place == .stack(9))
    #expect(first.count >= 50)
    for (turns, isFed, apart) in [(60, false, 1.0), (5, true, 1), (60, true, 400), (60, true, 1)] {
      let isLast = (turns, isFed, apart) == (60, true, 1)
      let others = try circle(turns: turns, isFed: isFed, apart: apart, isRetried: isLast).found
      #expect(!others.contains { $0.place == .stack(9) }, "\(turns), \(isFed), \(apart)")
    }
  }

  // MARK: - Recursion

  /// Producers, each started in the delivery of a value of the one before; or, if not `isNested`, by
  /// work that this value scheduled.
  private func starts(_ count: Int, isNested: Bool = true) throws -> (
    found: [Finding], last: EventName?
  ) {
    var script = TraceScript()
    let queue = script.scheduler("queue")
    script.stack(7, [0x1000, 0x2000])
    var value: EventName?
    var begun: EventName?
    for number in 0..<count {
      let page = script.stream("page", "producer", derived: true, line: 3, traits: [])
      var cause = value
      if !isNested, let before = value {
        let given = script.record(
          .hopScheduled, of: queue, at: Double(number), subscription: UInt64(number) + 1,
          causes: [before])
        cause = script.record(
          .hopBegan, of: queue, at: Double(number), subscription: UInt64(number) + 1,
          causes: [given])
      }
      let causes = cause.map { [$0] } ?? []
      begun = script.record(
        .subscribed, of: page, .subscription(SubscriptionPayload(stream: 0, stack: 7)),
        at: Double(number), subscription: UInt64(number) + 1, causes: causes)
      value = script.record(.value, of: page, .string("x"), at: Double(number), causes: causes)
    }
    return (try script.found(ending: nil), begun)
  }

  @Test("G1: producers started within one another's deliveries are a recursion, not a leak")
  func nestedStarts() throws {
    let (found, last) = try starts(100)
    #expect(found.map(\.kind) == [.recursion])
    #expect(found.first?.place == .entry(7))
    #expect(found.first?.count == 100 && found.first?.evidence.first == last)
    #expect(try !starts(20).found.contains { $0.kind == .recursion })
    #expect(try !starts(100, isNested: false).found.contains { $0.kind == .recursion })
  }

  // MARK: - Deliveries

  /// A value that a thread delivered last, to an operator that delivers it or does not.
  private func delivery(
    returns: Bool, _ traits: StreamTraits = [],
    ending: TraceEnding? = .crashed(signal: 9, ring: nil, programCounter: nil)
  ) throws -> [Finding] {
    var script = TraceScript()
    let added = script.stream("added", "pipe", line: 1)
    let count = script.stream(
      "added.map(_:)", "map(_:)", from: [added], derived: true, line: 2, traits: traits)
    _ = script.subscribe(added, to: count, at: 0)
    _ = script.subscribe(count, at: 0)
    script.value(added, "cat", at: 1)
    script.record(.sent, of: added, .cause(HopPayload(stack: 6, parent: 0)), at: 1, back: 1)
    if returns { script.value(count, "1", at: 1, back: 2) }
    return try script.found(ending: ending)
  }

  @Test("G1: a value of which an operator's closure has made nothing hangs, where it was sent")
  func unreturned() throws {
    let found = try delivery(returns: false)
    #expect(found.map(\.kind) == [.hang])
    #expect(found.first?.place == .stack(6))
    #expect(try delivery(returns: true).isEmpty)
    #expect(try delivery(returns: false, .swallows).isEmpty)
    #expect(try delivery(returns: false, ending: .clean).isEmpty)
  }

  // MARK: - Turns

  @Test("each value of a loop that causes two others is found after a few turns")
  func branching() throws {
    var script = TraceScript()
    let cloud = script.stream("cloud", "property", line: 1)
    let device = script.stream("device", "map(_:)", from: [cloud], line: 2)
    _ = script.subscribe(device, at: 0, by: 5)
    var layer = [script.value(cloud, "0", at: 1)]
    for turn in 1...7 {
      var next: [EventName] = []
      for cause in layer {
        for branch in 0..<2 {
          let value = ScriptedPayload.string("\(turn).\(branch)")
          let sent = script.record(.value, of: device, value, at: 1 + Double(turn), causes: [cause])
          next.append(
            script.record(.value, of: cloud, value, at: 1 + Double(turn), causes: [sent]))
        }
      }
      layer = next
    }
    #expect(try script.found().map(\.kind) == [.feedback])
  }

  @Test("streams that follow each other and come to rest, or take a second a turn, are no loop")
  func noLoop() throws {
    var resting = Binding()
    for turn in 0..<150 {
      let time = 10 + Double(turn) * 4
      resting.turn(turn, at: time, from: 0, changes: [])
      resting.turn(turn, at: time + 1, from: 1, changes: [])
    }
    #expect(try resting.script.found().isEmpty)
    var slow = Binding()
    for turn in 0..<150 {
      slow.turn(turn, at: 10 + Double(turn) * 1_000, from: turn == 0 ? 0 : 1, changes: [])
    }
    #expect(try slow.script.found().isEmpty)
  }

  // MARK: - Hangs

  // MARK: - The end

  @Test("what ends after the last action, or at the end of the main thread, is taken down")
  func takingDown() throws {
    func history(mainGoesOn: Bool) throws -> TraceHistory {
      var script = TraceScript()
      let theme = script.stream("theme")
      let worker = script.thread("worker", ring: 2)
      let mine = script.subscribe(theme, at: 1)
      let early = script.subscribe(theme, at: 1)
      script.end(early, of: theme, .disposed, at: 2)
      script.value(theme, "light", at: 500)
      script.end(mine, of: theme, .disposed, at: 501)
      script.value(theme, "dark", at: 520, ring: worker)
      if mainGoesOn { script.value(theme, "light", at: 530) }
      let folder = TemporaryFolder()
      try script.write(to: folder.file("run.varve"))
      return try TraceHistory(TraceReader(path: folder.file("run.varve")))
    }
    let taken = try history(mainGoesOn: false)
    #expect(taken.takingDown?.ticks == TraceScript.ticks(501))
    #expect(taken.subscriptions.takenDown.count == 1)
    let going = try history(mainGoesOn: true)
    #expect(going.takingDown == nil)
    #expect(going.subscriptions.takenDown.isEmpty)
  }
}
