import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("What is found where values come in the wrong order, or on the wrong thread")
struct OrderFindingTests {
  // MARK: - Glitches

  /// Two ways from one stream to a join, and what happens to the mixed value of each turn.
  private struct Diamond {
    var script = TraceScript()
    let hours: UInt32
    let net: UInt32
    let tax: UInt32
    let total: UInt32
    let shown: UInt32
    var old: EventName?

    init() {
      hours = script.stream("hours", "property", line: 1)
      net = script.stream("net", "map(_:)", from: [hours])
      tax = script.stream("tax", "map(_:)", from: [hours])
      total = script.stream("total", "combineLatest(_:_:)", from: [net, tax], line: 4)
      shown = script.stream("shown", "map(_:)", from: [total])
      _ = script.subscribe(total, to: shown, at: 0)
      _ = script.subscribe(shown, at: 0)
    }

    mutating func turn(_ number: Int, at time: Double, mixed: RecordKind = .value) {
      let cause = script.value(hours, "\(number)", at: time)
      let new = script.value(net, "n\(number)", at: time, back: 1)
      script.record(
        .value, of: total, .string("mixed"), at: time, back: 1, causes: old.map { [$0] } ?? [])
      script.record(mixed, of: shown, at: time, back: 1)
      let newTax = script.record(.value, of: tax, .string("t"), at: time, causes: [cause])
      script.record(.value, of: total, .string("whole"), at: time, back: 1, causes: [new])
      script.value(shown, "whole", at: time, back: 1)
      old = newTax
    }
  }

  @Test("a join that delivers old and new values mixed, and then new ones, is a glitch")
  func glitch() throws {
    var diamond = Diamond()
    for turn in 0..<5 { diamond.turn(turn, at: Double(turn)) }
    let found = try diamond.script.found()
    #expect(found.map(\.kind) == [.glitch])
    #expect(found.first?.place == .stream(diamond.total))
    #expect(found.first?.count == 5)
    #expect(found.first?.other == diamond.hours)
  }

  @Test("what is swallowed, or replaced before anybody sees it, is no glitch")
  func unseenGlitch() throws {
    var swallowed = Diamond()
    for turn in 0..<5 { swallowed.turn(turn, at: Double(turn), mixed: .absorbed) }
    #expect(try swallowed.script.found().isEmpty)
    var debounced = TraceScript()
    let hours = debounced.stream("hours", "property")
    let net = debounced.stream("net", "map(_:)", from: [hours])
    let tax = debounced.stream("tax", "map(_:)", from: [hours])
    let total = debounced.stream("total", "combineLatest(_:_:)", from: [net, tax])
    let shown = debounced.stream("shown", "debounce", from: [total])
    _ = debounced.subscribe(total, to: shown, at: 0)
    for turn in 0..<5 {
      let time = Double(turn)
      let cause = debounced.value(hours, "\(turn)", at: time)
      let new = debounced.value(net, "n", at: time, back: 1)
      debounced.value(total, "mixed", at: time, back: 1)
      debounced.record(.value, of: tax, .string("t"), at: time, causes: [cause])
      debounced.record(.value, of: total, .string("whole"), at: time, back: 1, causes: [new])
    }
    #expect(try debounced.found().isEmpty)
  }

  @Test("two inputs that are sent one after the other are no glitch")
  func separateInputs() throws {
    var script = TraceScript()
    let name = script.stream("name", "property")
    let age = script.stream("age", "property")
    let both = script.stream("both", "combineLatest(_:_:)", from: [name, age])
    var old: EventName?
    for turn in 0..<5 {
      let new = script.value(name, "n", at: Double(turn))
      script.record(
        .value, of: both, .string("1"), at: Double(turn), back: 1, causes: old.map { [$0] } ?? [])
      old = script.value(age, "a", at: Double(turn))
      script.record(.value, of: both, .string("2"), at: Double(turn), back: 1, causes: [new])
    }
    #expect(try script.found().isEmpty)
  }

  // MARK: - Overtaken

  /// A property to which two ways lead: at once, and after a delay.
  private struct Detour {
    var script = TraceScript()
    let updates: UInt32
    let delayed: UInt32
    let badge: UInt32
    private let queue: UInt32
    private let worker: UInt32
    private var hop: UInt64 = 0

    init() {
      queue = script.scheduler("queue")
      worker = script.thread("worker", ring: 2)
      updates = script.stream("updates", line: 1)
      delayed = script.stream("delayed", "delay(_:on:)", from: [updates], traits: [.hops, .holds])
      badge = script.stream("badge", "property", line: 3)
    }

    /// Something is sent, and arrives now or later.
    mutating func send(_ value: String, at time: Double, delay: Double = 0, as shown: String? = nil)
    {
      let sent = script.value(updates, value, at: time)
      guard delay > 0 else {
        script.value(badge, shown ?? value, at: time, back: 1)
        return
      }
      hop += 1
      script.record(.hopScheduled, of: queue, at: time, subscription: hop, back: 1)
      waiting.append((sent, shown ?? value, time + delay, hop))
    }

    private var waiting: [(sent: EventName, value: String, time: Double, hop: UInt64)] = []

    mutating func found() throws -> [Finding] {
      for (sent, value, time, hop) in waiting {
        script.record(
          .hopBegan, of: queue, at: time, ring: worker, subscription: hop,
          causes: [EventName(ring: 1, sequence: sent.sequence + 1)])
        script.record(
          .value, of: delayed, .string(value), at: time, ring: worker, back: 1, causes: [sent])
        script.value(badge, value, at: time, ring: worker, back: 1)
        script.record(.hopEnded, of: queue, at: time, ring: worker, subscription: hop)
      }
      return try script.found()
    }
  }

  @Test("an older value that arrives after a newer one was overtaken, by what delayed it")
  func overtaken() throws {
    var detour = Detour()
    detour.send("online", at: 0)
    detour.send("away", at: 100, delay: 60)
    detour.send("online", at: 300)
    detour.send("offline", at: 400, delay: 60)
    detour.send("online", at: 420)
    let found = try detour.found()
    #expect(found.map(\.kind) == [.overtaken])
    #expect(found.first?.place == .stream(detour.delayed))
    #expect(found.first?.stream == detour.badge)
    #expect(found.first?.count == 1)
    #expect(found.first?.nanoseconds == 60_000_000)
  }

  @Test("values in order, equal ones, and those of one way are not overtaken")
  func notOvertaken() throws {
    var inOrder = Detour()
    inOrder.send("online", at: 0)
    inOrder.send("away", at: 100, delay: 60)
    inOrder.send("online", at: 300)
    #expect(try inOrder.found().isEmpty)
    var equal = Detour()
    equal.send("a", at: 100, delay: 60, as: "online")
    equal.send("b", at: 120, as: "online")
    #expect(try equal.found().isEmpty)
    var oneWay = Detour()
    oneWay.send("a", at: 100, delay: 60)
    oneWay.send("b", at: 120, delay: 60)
    #expect(try oneWay.found().isEmpty)
  }

  @Test("G1: answers that overtake each other in a flattening side by side are at the flattening")
  func sideBySide() throws {
    var script = TraceScript()
    let queue = script.scheduler("queue")
    let updates = script.stream("updates", line: 1)
    let badge = script.stream("badge", "property", line: 3)
    let answers = script.stream("answers", "flatMap(.merge)", from: [updates], line: 4)
    var hops: [(given: EventName, sent: EventName, delayed: UInt32)] = []
    for number in 0..<2 {
      let delayed = script.stream(
        "delayed", "delay(_:on:)", derived: true, line: 5, traits: [.hops, .holds])
      let sent = script.value(updates, "\(number)", at: Double(number))
      _ = script.subscribe(delayed, to: answers, at: Double(number))
      let given = script.record(
        .hopScheduled, of: queue, at: Double(number), subscription: UInt64(number) + 1,
        causes: [sent])
      hops.append((given, sent, delayed))
    }
    for (time, number) in [(20.0, 1), (60, 0)] {
      let hop = hops[number]
      script.record(
        .hopBegan, of: queue, at: time, subscription: UInt64(number) + 1, causes: [hop.given])
      script.record(
        .value, of: hop.delayed, .string("\(number)"), at: time, back: 1, causes: [hop.sent])
      script.value(answers, "\(number)", at: time, back: 1)
      script.value(badge, "\(number)", at: time, back: 1)
      script.record(.hopEnded, of: queue, at: time, subscription: UInt64(number) + 1)
    }
    let found = try script.found()
    #expect(found.first?.place == .stream(answers))
    #expect(!found.contains { $0.place == .stream(hops[0].delayed) })
  }

  @Test("G1: runs that one line of code begins side by side are at that line", arguments: [7, 8])
  func begunSideBySide(second: UInt32) throws {
    var script = TraceScript()
    let network = script.scheduler("network")
    let pattern = script.stream("pattern", "property", line: 1)
    let uploads = script.stream("uploads", "property", line: 2)
    var given: [(run: UInt32, name: EventName)] = []
    for (number, stack) in [7, second].enumerated() {
      let time = Double(number)
      let edit = script.value(pattern, "\(number)", at: time)
      let run = script.stream("put", "producer", derived: true, line: 3, traits: .hasEffects)
      script.record(
        .subscribed, of: run, .subscription(SubscriptionPayload(stream: 0, stack: stack)), at: time,
        subscription: UInt64(number) + 10, causes: [edit])
      let name = script.record(
        .hopScheduled, of: network, at: time, subscription: UInt64(number) + 50, causes: [edit])
      given.append((run, name))
    }
    for (time, number) in [(20.0, 1), (60, 0)] {
      let hop = UInt64(number) + 50
      script.record(
        .hopBegan, of: network, at: time, subscription: hop, causes: [given[number].name])
      script.value(given[number].run, "\(number)", at: time, back: 1)
      script.value(uploads, "\(number)", at: time, back: 1)
      script.record(.hopEnded, of: network, at: time, subscription: hop)
    }
    let found = try script.found().filter { $0.kind == .overtaken }
    #expect(found.map(\.place) == [second == 7 ? .stack(7) : .stream(given[0].run)])
  }

  @Test("G1: a value that comes late by way of the program's own code is at the binding it came by")
  func lateBinding() throws {
    var script = TraceScript()
    let server = script.scheduler("server")
    let sensor = script.stream("sensor", line: 1)
    let cloud = script.stream("cloud", line: 2)
    let door = script.stream("door", "property", line: 3, traits: [.hot, .replays])
    _ = script.subscribe(sensor, to: door, at: 0, by: 7)
    _ = script.subscribe(cloud, to: door, at: 0, by: 8)
    var given: [EventName] = []
    for (index, state) in ["open", "closed"].enumerated() {
      let time = Double(10 + index * 20)
      let sent = script.value(sensor, state, at: time)
      script.value(door, state, at: time, back: 1)
      given.append(
        script.record(
          .hopScheduled, of: server, at: time, subscription: UInt64(index + 50), causes: [sent]))
    }
    for (index, state) in ["open", "closed"].enumerated() {
      let time = Double(60 + index * 20)
      script.record(
        .hopBegan, of: server, at: time, subscription: UInt64(index + 50), causes: [given[index]])
      script.value(cloud, state, at: time, back: 1)
      script.value(door, state, at: time, back: 1)
      script.record(.hopEnded, of: server, at: time, subscription: UInt64(index + 50))
    }
    let found = try script.found().filter { $0.kind == .overtaken }
    #expect(found.map(\.place) == [.stack(8)])
  }

  @Test("G1: an answer from a callback, whose cause is unknown, answers what its stream began for")
  func staleCallback() throws {
    for isStale in [true, false] {
      var script = TraceScript()
      let target = script.stream("target", line: 1)
      let caption = script.stream("caption", "flatMap(.merge)", from: [target], line: 2)
      let inner = script.stream("page", "producer", derived: true, line: 3, traits: .hasEffects)
      _ = script.subscribe(caption, at: 0)
      for request in 0..<2 {
        let time = Double(request * 40)
        let sent = script.value(target, "\(request)", at: time)
        script.record(
          .subscribed, of: inner, .subscription(SubscriptionPayload(stream: caption, stack: 0)),
          at: time, subscription: UInt64(request + 20), causes: [sent])
      }
      let order = isStale ? [1, 0] : [0, 1]
      for (position, answer) in order.enumerated() {
        let time = Double(100 + position * 50)
        let value = script.value(inner, "\(answer)", at: time, subscription: 90)
        script.record(
          .value, of: caption, .string("\(answer)"), at: time, subscription: UInt64(answer + 20),
          causes: [value])
      }
      let found = try script.found().filter { $0.kind == .stale }
      #expect(found.map(\.place) == (isStale ? [.stream(caption)] : []))
    }
  }

  @Test("values from different sources do not overtake each other")
  func differentSources() throws {
    var script = TraceScript()
    let queue = script.scheduler("queue")
    let cache = script.stream("cache")
    let network = script.stream("network")
    let delayed = script.stream("delayed", "observe(on:)", from: [network])
    let both = script.stream("both", "merge", from: [cache, delayed], traits: .joins)
    let sent = script.value(network, "old", at: 1)
    script.record(.hopScheduled, of: queue, at: 1, subscription: 1, back: 1)
    script.value(cache, "new", at: 2)
    script.value(both, "new", at: 2, back: 1)
    script.record(.hopBegan, of: queue, at: 3, subscription: 1, causes: ["1.2"])
    script.record(.value, of: delayed, .string("old"), at: 3, back: 1, causes: [sent])
    script.value(both, "old", at: 3, back: 1)
    #expect(try script.found().isEmpty)
  }

  // MARK: - Threads

  /// A join whose first input is moved to a scheduler, and whose second one is not.
  private func panel(
    strays: [Int], of count: Int = 40, hopsAfter: Bool = false, hopsBefore: Bool = true,
    isPlain: Bool = false
  ) throws -> (found: [Finding], input: UInt32, shown: UInt32) {
    var script = TraceScript()
    let ui = script.scheduler("ui")
    let radio = script.scheduler("radio")
    let readings = script.stream("readings", line: 1)
    let moved = script.stream(
      "moved", "observe(on:)", from: [readings], traits: hopsBefore ? [.hops, .holds] : [])
    let siren = script.stream("siren", line: 2)
    let alarms = isPlain ? siren : script.stream("alarms", "map(_:)", from: [siren], line: 3)
    let shown = script.stream("shown", "merge", from: [moved, alarms], traits: .joins)
    let last =
      hopsAfter
      ? script.stream("last", "observe(on:)", from: [shown], traits: [.hops, .holds]) : shown
    if hopsAfter { _ = script.subscribe(shown, to: last, at: 0) }
    _ = script.subscribe(last, at: 0)
    for index in 0..<count {
      let (time, hop) = (Double(index), UInt64(index + 1))
      let isStray = strays.contains(index)
      let scheduler = isStray ? radio : ui
      script.record(.hopBegan, of: scheduler, at: time, subscription: hop)
      script.value(isStray ? alarms : moved, "\(index)", at: time, back: 1)
      script.value(shown, "\(index)", at: time, back: 1)
      script.record(.hopEnded, of: scheduler, at: time, subscription: hop)
    }
    return (try script.found(), alarms, shown)
  }

  @Test("a stream that was moved to a scheduler and delivers elsewhere now and then is found")
  func stray() throws {
    let (found, input, _) = try panel(strays: [17, 34])
    #expect(found.map(\.kind) == [.thread])
    #expect(found.first?.place == .stream(input))
    #expect(found.first?.count == 2)
  }

  @Test("where a source lacks the hop, what takes it as it is is named: others may use it, too")
  func straySource() throws {
    let (found, _, shown) = try panel(strays: [17, 34], isPlain: true)
    #expect(found.map(\.place) == [.stream(shown)])
  }

  @Test("first values, two equal ways, and what is moved afterwards are no stray deliveries")
  func noStray() throws {
    #expect(try panel(strays: [0]).found.isEmpty)
    #expect(try panel(strays: Array(stride(from: 1, to: 40, by: 2))).found.isEmpty)
    #expect(try panel(strays: [17], hopsAfter: true).found.isEmpty)
    #expect(try panel(strays: [17], hopsBefore: false).found.isEmpty)
  }

  // MARK: - Reads

  /// A property whose changes come by work on a scheduler, and code that reads it.
  private func score(
    readAfter milliseconds: Double, on ring: UInt32 = 1, changed: Bool = true,
    byTimer: Bool = false, inWork: Bool = false
  ) throws -> [Finding] {
    var script = TraceScript()
    let database = script.scheduler("database")
    let worker = script.thread("worker", ring: 2)
    _ = script.thread("other", ring: 3)
    let best = script.stream("best", "property", line: 1)
    let source = script.stream(
      "source", byTimer ? "interval" : "producer", line: 2, traits: byTimer ? .hops : [])
    script.value(best, "90", at: 0)
    for turn in 1...3 {
      let (time, hop) = (Double(turn) * 100, UInt64(turn))
      let scheduled = script.record(.hopScheduled, of: database, at: time, subscription: hop)
      let payload = ScriptedPayload.cause(HopPayload(stack: 8, parent: 0))
      let began = time + (inWork ? 0 : 2)
      func begin() {
        script.record(
          .hopBegan, of: database, at: began, ring: inWork ? ring : worker, subscription: hop,
          causes: [scheduled])
      }
      if inWork { begin() }
      script.record(.read, of: best, payload, at: time + milliseconds, ring: ring)
      if !inWork { begin() }
      let thread = inWork ? ring : worker
      script.value(source, "\(turn)", at: time + 2, ring: thread, back: inWork ? 2 : 1)
      script.value(best, changed ? "\(turn)" : "90", at: time + 2, ring: thread, back: 1)
      script.record(.hopEnded, of: database, at: time + 2, ring: thread, subscription: hop)
    }
    return try script.found()
  }

  /// Two threads that count in one property, each by reading it and setting it; of each turn, the
  /// second one sets it between the other's read and change, if the turns overlap.
  private func count(
    overlaps: Bool, inOneCall: Bool = true, readsFirst: Bool = true
  ) throws -> [Finding] {
    var script = TraceScript()
    let left = script.thread("left", ring: 2)
    let right = script.thread("right", ring: 3)
    script.stack(7, [0x1000, 0x3000])
    script.stack(8, [readsFirst ? 0x1010 : 0x0ff0, inOneCall ? 0x3000 : 0x4000])
    let guests = script.stream("guests", "property", line: 1)
    let read = ScriptedPayload.cause(HopPayload(stack: 7, parent: 0))
    func set(_ value: Int, at time: Double, on ring: UInt32) {
      script.value(guests, "\(value)", at: time, ring: ring)
      script.record(
        .sent, of: guests, .cause(HopPayload(stack: 8, parent: 0)), at: time, ring: ring, back: 1)
    }
    for turn in 0..<5 {
      let time = Double(turn) * 10 + 1
      script.record(.read, of: guests, read, at: time, ring: left)
      if !overlaps { set(turn, at: time + 1, on: left) }
      script.record(.read, of: guests, read, at: time + 2, ring: right)
      set(turn + 1, at: time + 3, on: right)
      if overlaps { set(turn + 1, at: time + 4, on: left) }
    }
    return try script.found().filter { $0.kind == .race }
  }

  @Test(
    "G1: changes that are lost between another thread's read and change are found where it sets")
  func lostUpdates() throws {
    let found = try count(overlaps: true)
    #expect(found.map(\.place) == [.stack(8)])
    #expect(found.first?.count == 5)
    #expect(try count(overlaps: false).isEmpty)
    #expect(try count(overlaps: true, inOneCall: false).isEmpty)
    // The read stands behind the change, and belongs to the call before.
    #expect(try count(overlaps: true, readsFirst: false).isEmpty)
  }

  @Test("a property that is read before a change on its way is read too early")
  func early() throws {
    let found = try score(readAfter: 0.1)
    #expect(found.map(\.kind) == [.early])
    #expect(found.first?.place == .stack(8))
    #expect(found.first?.count == 3)
  }

  @Test("reads after the change, on other threads, and of what stays the same are not too early")
  func inTime() throws {
    #expect(try score(readAfter: 50).isEmpty)
    #expect(try score(readAfter: 0.1, on: 3).isEmpty)
    #expect(try score(readAfter: 0.1, changed: false).isEmpty)
    // Nobody waits for a timer's next tick.
    #expect(try score(readAfter: 0.1, byTimer: true).isEmpty)
    // The work reads what it is to change, as a counter does.
    #expect(try score(readAfter: 0.1, inWork: true).isEmpty)
  }

  /// A task gives work to a queue, reads a property, and waits; the work resumes a task, which changes it.
  private func resumed(_ task: UInt64) throws -> [Finding] {
    var script = TaskScript()
    let cups = script.script.stream("cups", "property", line: 1, traits: [.hot, .replays])
    let queue = script.script.scheduler("machine")
    script.create(1, at: 0)
    script.create(2, at: 0)
    script.begin(2, at: 0)
    script.end(2, .continuation, at: 0)
    script.begin(1, at: 1)
    let caller = ScriptedPayload.cause(HopPayload(stack: 8, parent: 0))
    let given = script.script.record(
      .hopScheduled, of: queue, caller, at: 1, subscription: 90, back: 1)
    script.script.record(.read, of: cups, caller, at: 1.1)
    script.end(1, .continuation, at: 2)
    let work = script.script.record(
      .hopBegan, of: queue, at: 50, ring: 2, subscription: 90, causes: [given])
    script.schedule(task, at: 51, ring: 2, by: work)
    script.script.record(.hopEnded, of: queue, at: 51, ring: 2, subscription: 90)
    script.begin(task, at: 52)
    script.script.record(.value, of: cups, .integer(1), at: 53, back: 1)
    return try script.findings().filter { $0.kind == .early }
  }

  @Test("what a task reads before it waits is not too early for what it does when it goes on")
  func readBeforeWaiting() throws {
    #expect(try resumed(1).isEmpty)
    // Another task's change is on its way while this one reads.
    #expect(try resumed(2).map(\.place) == [.stack(8)])
  }
}
