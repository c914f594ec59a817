import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("Joins, runs and starts")
struct FlowRuleTests {
  // MARK: - Joins

  /// A join of two inputs; `pairs` of each hundred values of the first one find a partner.
  private func log(
    pairs: Int, atOnce: Bool = false, ofNewest: Bool = false, isDisposed: Bool = false
  ) throws -> [Finding] {
    var script = TraceScript()
    let fast = script.stream("pulses")
    let slow = script.stream("positions")
    let joined = script.stream(
      "points", "zip", from: [slow, fast], traits: [.joins, .needsAllInputs, .holds],
      absorbs: .gathered)
    for input in [slow, fast] { _ = script.subscribe(input, to: joined, at: 0) }
    _ = script.subscribe(joined, at: 0)
    var values: [EventName] = []
    if atOnce { values = (0..<100).map { script.value(fast, "\($0)", at: 1) } }
    var joinedCount = 0
    for number in 0..<100 {
      let time = 10 + Double(number) * 10
      if !atOnce { values.append(script.value(fast, "\(number)", at: time)) }
      guard number * pairs / 100 < (number + 1) * pairs / 100 else { continue }
      let partner = script.value(slow, "\(number)", at: time + 1)
      let used = ofNewest ? values[values.count - 1] : values[joinedCount]
      script.record(
        .value, of: joined, .string("pair"), at: time + 1, causes: [partner, used])
      joinedCount += 1
    }
    for _ in 0..<(isDisposed ? 100 - joinedCount : 0) {
      script.record(.absorbed, of: joined, .reason(AbsorptionReason.ended.rawValue), at: 1_100)
    }
    return try script.findings()
  }

  @Test("G1: a join that holds more and more of its faster input delivers old values")
  func growing() throws {
    for (pairs, isDisposed) in [(10, false), (60, false), (10, true), (8, true)] {
      let found = try log(pairs: pairs, isDisposed: isDisposed)
      #expect(found.map(\.kind) == [.join])
      #expect(found.first?.place == .stream(3))
      #expect(found.first?.evidence.count == 2)
    }
  }

  @Test("G1: a join that keeps up, paces what came at once, or takes the newest does not grow")
  func steady() throws {
    #expect(try log(pairs: 100).isEmpty)
    #expect(try log(pairs: 95).isEmpty)
    #expect(try log(pairs: 100, atOnce: true).isEmpty)
    #expect(try log(pairs: 10, ofNewest: true).isEmpty)
  }

  // MARK: - Schedulers

  /// A flattening most of whose inner streams deliver on another scheduler, and one of them does not.
  private func pages(isTimer: Bool) throws -> [Finding] {
    var script = TraceScript()
    let opened = script.stream("opened")
    let loaded = script.stream("loaded", "producer", traits: [])
    let usual = script.stream(
      "usual", isTimer ? "interval" : "observe(on:)", from: isTimer ? [] : [loaded], traits: .hops)
    let cached = script.stream("cached", "value", traits: [])
    let pages = script.stream(
      "pages", "flatMap(.concat)", from: [opened], traits: [.makesStreams, .holds])
    _ = script.subscribe(opened, to: pages, at: 0)
    _ = script.subscribe(pages, at: 0)
    let queue = script.scheduler("ui")
    for number in 0..<9 {
      let time = Double(number) * 10
      let open = script.value(opened, "\(number)", at: time)
      if number == 7 {
        let stray = script.record(.value, of: cached, .string("page"), at: time, causes: [open])
        script.record(.value, of: pages, .string("page"), at: time, causes: [stray])
        continue
      }
      let hop = UInt64(number + 20)
      let work = script.record(
        .hopBegan, of: queue, at: time + 1, subscription: hop, causes: [open])
      let moved = script.record(
        .value, of: usual, .string("page"), at: time + 1, causes: [isTimer ? work : open, work])
      script.record(.value, of: pages, .string("page"), at: time + 1, causes: [moved])
      script.record(.hopEnded, of: queue, at: time + 2, subscription: hop, causes: [work])
    }
    return try script.findings()
  }

  @Test("G1: a stream that is moved to a scheduler, but for one way, is found at that way")
  func stray() throws {
    let found = try pages(isTimer: false)
    #expect(found.map(\.kind) == [.thread])
    #expect(found.first?.place == .stream(4))
  }

  @Test("G1: a stream that mostly repeats a timer's values was not moved to the timer's scheduler")
  func timer() throws { #expect(try pages(isTimer: true).isEmpty) }

  // MARK: - Runs that never end

  /// An action that is started again while its first run is in progress.
  private func export(
    refusals: Int, ends: Bool = false, answers: Bool = false
  ) throws -> [Finding] {
    var script = TraceScript()
    let action = script.stream("export", "action", traits: .hot)
    let refused = script.stream("export.disabledErrors", "disabled", from: [action], traits: .hot)
    let executing = script.stream(
      "export.isExecuting", "isExecuting", from: [action], traits: [.hot, .replays])
    let apply = script.stream("export.apply", "apply", from: [action], traits: .hasEffects)
    let photos = script.stream("photos")
    let started = script.stream("photos.producer", "producer", from: [photos], traits: .standsIn)
    let work = script.stream("work", "filter(_:)", from: [started])
    _ = script.subscribe(executing, at: 0)
    script.record(.value, of: executing, .boolean(true), at: 1)
    _ = script.subscribe(apply, at: 2)
    _ = script.subscribe(work, at: 2)
    _ = script.subscribe(photos, to: work, at: 2)
    script.value(photos, "1", at: 3)
    if answers { script.value(work, "1", at: 3) }
    for number in 0..<refusals {
      let time = 100 + Double(number) * 100
      let edge = script.subscribe(apply, at: time)
      script.record(.failed, of: apply, .description("disabled"), at: time)
      script.end(edge, of: apply, .failed, at: time)
      script.record(.value, of: refused, .unit, at: time)
    }
    if ends { script.record(.value, of: executing, .boolean(false), at: 900) }
    return try script.findings()
  }

  @Test("G1: an action that refuses to run names what the run in progress waits for")
  func endless() throws {
    for refusals in [1, 3] {
      let found = try export(refusals: refusals)
      #expect(found.map(\.kind) == [.stuck])
      #expect(found.first?.place == .stream(6))
    }
  }

  @Test("G1: a run that had its answer from a signal, and goes on, is found at what let it through")
  func answered() throws {
    let found = try export(refusals: 3, answers: true)
    #expect(found.map(\.kind) == [.stuck])
    #expect(found.first?.place == .stream(7))
  }

  @Test(
    "G1: a run whose merge goes on with a property, or a timer, after its work has completed is found there",
    arguments: [false, true])
  func merged(isTimer: Bool) throws {
    for isDone in [true, false] {
      var script = TraceScript()
      let action = script.stream("brew", "action", traits: .hot)
      let refused = script.stream("brew.disabledErrors", "disabled", from: [action], traits: .hot)
      let executing = script.stream(
        "brew.isExecuting", "isExecuting", from: [action], traits: [.hot, .replays])
      let apply = script.stream("brew.apply", "apply", from: [action], traits: .hasEffects)
      let degrees = script.stream("degrees", "property")
      let told = script.stream(
        "told", "producer", from: isTimer ? [] : [degrees], traits: isTimer ? .hops : .standsIn)
      let steps = script.stream("steps", "producer")
      let both = script.stream("both", "merge(with:)", from: [steps, told], traits: .joins)
      _ = script.subscribe(executing, at: 0)
      script.record(.value, of: executing, .boolean(true), at: 1)
      _ = script.subscribe(apply, at: 2)
      _ = script.subscribe(both, at: 2)
      let work = script.subscribe(steps, to: both, at: 2)
      _ = script.subscribe(told, to: both, at: 2)
      script.value(steps, "mash", at: 3, subscription: work)
      if isDone {
        script.record(.completed, of: steps, at: 4, subscription: work)
        script.end(work, of: steps, .completed, at: 4)
      }
      for number in 0..<3 {
        let time = 100 + Double(number) * 100
        let edge = script.subscribe(apply, at: time)
        script.record(.failed, of: apply, .description("disabled"), at: time)
        script.end(edge, of: apply, .failed, at: time)
        script.record(.value, of: refused, .unit, at: time)
      }
      let found = try script.findings()
      #expect(found.map(\.kind) == [.stuck])
      #expect((found.first?.place == .stream(both)) == isDone, "\(found)")
    }
  }

  @Test(
    "G1: a button that is pressed twice while its run takes its time is refused, and rightly so")
  func busy() throws {
    #expect(try export(refusals: 3, ends: true).isEmpty)
    #expect(try export(refusals: 0).isEmpty)
  }

  /// An action that was refused so many times, with a condition that it observes; it may have run.
  private func borrow(refusals: Int, runs: Bool = false) throws -> (
    found: [Finding], condition: UInt32
  ) {
    var script = TraceScript()
    let condition = script.stream("mayBorrow", "property", line: 3)
    let told = script.stream(
      "told", "producer", from: [condition], derived: true, traits: .standsIn)
    let action = script.stream("borrow", "action", line: 5, traits: .hot)
    let refused = script.stream("borrow.disabledErrors", "disabled", from: [action], traits: .hot)
    let enabled = script.stream(
      "borrow.isEnabled", "isEnabled", from: [action], traits: [.hot, .replays])
    let apply = script.stream("borrow.apply", "apply", from: [action], traits: .hasEffects)
    _ = script.subscribe(told, to: enabled, at: 0)
    if runs { script.record(.value, of: enabled, .boolean(true), at: 1) }
    for number in 0..<refusals {
      let time = 100 + Double(number) * 100
      let edge = script.subscribe(apply, at: time)
      script.record(.failed, of: apply, .description("disabled"), at: time)
      script.end(edge, of: apply, .failed, at: time)
      script.record(.value, of: refused, .unit, at: time)
    }
    return (try script.findings(), condition)
  }

  @Test("G1: an action that refuses every run is found at the property that was never true")
  func neverEnabled() throws {
    let (found, condition) = try borrow(refusals: 3)
    #expect(found.map(\.kind) == [.stuck])
    #expect(found.first?.place == .stream(condition) && found.first?.count == 3)
    #expect(try borrow(refusals: 1).found.isEmpty)
    #expect(try borrow(refusals: 3, runs: true).found.isEmpty)
  }

  @Test("G1: an inner stream that was to end early and did not is found at what should end it")
  func unended() throws {
    for endsEarly in [true, false] {
      let found = try queue(ends: false, delivers: true, endsEarly: endsEarly)
      #expect(found.map(\.kind) == [.stuck])
      #expect(found.first?.place == .stream(endsEarly ? 4 : 2))
    }
  }

  /// Streams one after the other, of which the second does not end.
  private func queue(
    ends: Bool, silence: Double = 2_000, delivers: Bool = false, endsEarly: Bool = false
  ) throws -> [Finding] {
    var script = TraceScript()
    let jobs = script.stream("jobs")
    let done = script.stream(
      "done", "flatMap(.concat)", from: [jobs], traits: [.makesStreams, .holds])
    let first = script.stream("first", "producer", traits: .hasEffects)
    let second = script.stream(
      "second", "producer", traits: endsEarly ? [.hasEffects, .endsEarly] : .hasEffects)
    let third = script.stream("third", "producer")
    _ = script.subscribe(done, at: 0)
    _ = script.subscribe(jobs, to: done, at: 0)
    for number in 0..<3 { script.value(jobs, "\(number)", at: 1) }
    let one = script.subscribe(first, to: done, at: 1)
    script.end(one, of: first, .completed, at: 20)
    let two = script.subscribe(second, to: done, at: 20)
    if delivers { script.value(second, "a", at: 21) }
    if ends {
      script.end(two, of: second, .completed, at: 40)
      _ = script.subscribe(third, to: done, at: 40)
    }
    script.value(script.stream("other"), "1", at: 20 + silence)
    return try script.findings()
  }

  @Test("G1: streams that wait for their turn behind one that never ends are stuck")
  func blocked() throws {
    let found = try queue(ends: false)
    #expect(found.map(\.kind) == [.stuck])
    #expect(found.first?.place == .stream(4))
  }

  @Test("G1: streams that have their turn, or may have it soon, are not stuck")
  func waiting() throws {
    #expect(try queue(ends: true).isEmpty)
    #expect(try queue(ends: false, silence: 30).isEmpty)
  }

  /// Streams one after the other, each of which runs for 30 ms; their values come every `gap` ms.
  private func glides(gap: Double, count: Int = 20) throws -> [Finding] {
    var script = TraceScript()
    let moves = script.stream("moves")
    let drawn = script.stream(
      "drawn", "flatMap(.concat)", from: [moves], traits: [.makesStreams, .holds])
    let glide = script.stream("glide", "producer")
    _ = script.subscribe(drawn, at: 0)
    _ = script.subscribe(moves, to: drawn, at: 0)
    let ends = (0..<count).reduce(into: [Double]()) { ends, number in
      ends.append(max(Double(number) * gap + 1, ends.last ?? 0) + 30)
    }
    var events: [(time: Double, number: Int?)] = (0..<count).map { (Double($0) * gap + 1, nil) }
    events += ends.enumerated().map { ($1, $0) }
    var running: UInt64?
    var waiting = 0
    for event in events.sorted(by: { $0.time < $1.time }) {
      if event.number == nil {
        script.value(moves, "move", at: event.time)
        waiting += 1
      } else if let edge = running {
        script.end(edge, of: glide, .completed, at: event.time)
        running = nil
      }
      if running == nil, waiting > 0 {
        running = script.subscribe(glide, to: drawn, at: event.time)
        waiting -= 1
      }
    }
    return try script.findings()
  }

  @Test("G1: values that reach a flattening faster than its streams end wait longer and longer")
  func queueing() throws {
    let found = try glides(gap: 14)
    #expect(found.map(\.kind) == [.backlog])
    #expect(found.first?.place == .stream(2))
    // However quickly: a dial that is turned is no list of jobs.
    #expect(try glides(gap: 4, count: 60).map(\.kind) == [.backlog])
  }

  @Test("G1: a flattening that keeps up, has a short queue, or a list of jobs is no backlog")
  func keepingUp() throws {
    #expect(try glides(gap: 31).isEmpty)
    #expect(try glides(gap: 27).isEmpty)
    #expect(try glides(gap: 0.1).isEmpty)
  }

  // MARK: - Starts

  /// A request that two streams are made from.
  private func till(
    effects: Bool = true, shares: Bool = false, pause: Double = 1, runs: UInt64 = 2
  ) throws -> [Finding] {
    var script = TraceScript()
    let receipt = script.stream("receipt", "producer", traits: effects ? .hasEffects : [])
    let source =
      shares
      ? script.stream("shared", "replayLazily()", from: [receipt], traits: .replays) : receipt
    let total = script.stream("total", "map(_:)", from: [source])
    let number = script.stream("number", "map(_:)", from: [source])
    if shares { _ = script.subscribe(receipt, to: source, at: 1) }
    _ = script.subscribe(total, at: 1, by: 5)
    _ = script.subscribe(source, to: total, at: 1)
    _ = script.subscribe(number, at: 1 + pause, by: 6)
    _ = script.subscribe(source, to: number, at: 1 + pause)
    for run in 1...runs { script.value(source, "1", at: 500, subscription: 100 + run) }
    for stream in [total, number] { script.value(stream, "1", at: 500) }
    return try script.findings()
  }

  @Test("G1: effects of a request that two streams were made from happen twice")
  func startedTwice() throws {
    let found = try till()
    #expect(found.map(\.kind) == [.restarted])
    #expect(found.first?.stream == 1)
    #expect(found.first?.place == .stack(6))
  }

  @Test(
    "G1: work without effects, shared, done later, or done once for several observers is meant")
  func startedRightly() throws {
    #expect(try till(effects: false).isEmpty)
    #expect(try till(shares: true).isEmpty)
    #expect(try till(pause: 200).isEmpty)
    #expect(try till(runs: 1).isEmpty)
  }

  @Test("G1: an action's runs are begun one by one, as often as somebody asks for them")
  func runsOfAction() throws {
    for isAction in [true, false] {
      var script = TraceScript()
      let vote = script.stream("vote", "action", traits: isAction ? .hot : [])
      _ = script.stream("vote.isEnabled", "property", from: [vote], traits: [.hot, .replays])
      let run = script.stream("vote.apply(_:)", "apply(_:)", from: [vote], traits: .hasEffects)
      for press in 1...2 {
        _ = script.subscribe(run, at: Double(press), by: UInt32(press + 4))
        script.value(run, "1", at: Double(press), subscription: UInt64(press))
      }
      let found = try script.findings().filter { $0.kind == .restarted }
      #expect(found.map(\.place) == (isAction ? [] : [.stack(6)]))
    }
  }

  /// So many requests that were made, of which some were started.
  private func covers(
    made: Int, started: Int = 0, effects: Bool = true
  ) throws -> [Finding] {
    var script = TraceScript()
    for number in 0..<made {
      let request = script.stream(
        "cover", "producer", derived: true, traits: effects ? .hasEffects : [])
      let loaded = script.stream("cover.map(_:)", "map(_:)", from: [request], derived: true)
      guard number < started else { continue }
      let edge = script.subscribe(loaded, at: Double(number))
      script.end(edge, of: loaded, .completed, at: Double(number))
    }
    return try script.findings()
  }

  @Test("G1: requests that were made and never started are found where they were left")
  func unstarted() throws {
    for made in [1, 4] {
      let found = try covers(made: made)
      #expect(found.map(\.kind) == [.unstarted])
      #expect(found.first?.place == .receiver(of: 2))
      #expect(found.first?.question == .whySilent(2))
    }
  }

  @Test("G1: recipes of which some are started, or without effects, are left in peace")
  func unused() throws {
    #expect(try covers(made: 4, started: 1).isEmpty)
    #expect(try covers(made: 4, effects: false).isEmpty)
  }

  // MARK: - Stale answers

  /// Answers to two requests, the first of which takes longer.
  private func search(
    pause: Double = 50, requests: Int = 2, isGathered: Bool = false, waits: Bool = false,
    answers: Int = 1
  ) throws -> [Finding] {
    var script = TraceScript()
    let query = script.stream("query")
    var traits: StreamTraits = [.makesStreams, .joins, .runsSideBySide]
    if waits { traits.insert(.holds) }
    let results = script.stream("results", "flatMap(.merge)", from: [query], traits: traits)
    let shown = script.stream(
      "shown", "scan", from: [results], traits: isGathered ? .gathers : [])
    _ = script.subscribe(shown, at: 0)
    _ = script.subscribe(results, to: shown, at: 0)
    let asked = (0..<requests).map { number in
      script.value(query, "\(number)", at: 1 + Double(number) * pause)
    }
    for round in 0..<answers {
      for request in asked.reversed() {
        script.record(
          .value, of: results, .string("\(request)"), at: 500 + Double(round), causes: [request])
      }
    }
    return try script.findings()
  }

  @Test("G1: an answer to an older request that replaces a newer one is stale")
  func stale() throws {
    let found = try search()
    #expect(found.map(\.kind) == [.stale])
    #expect(found.first?.place == .stream(2))
    #expect(found.first?.weight == 85)
  }

  @Test("G1: answers that are gathered, or of work begun in one go, may come in any order")
  func unordered() throws {
    #expect(try search(isGathered: true).isEmpty)
    #expect(try search(waits: true).isEmpty)
    #expect(try search(pause: 0.1, requests: 5).isEmpty)
    #expect(try search(answers: 5).isEmpty)
  }

  /// A stream whose consumer takes 30 ms for an element; one comes every `gap` ms.
  private func readings(gap: Double, traits: StreamTraits = [.hot, .holds]) throws -> [Finding] {
    var script = TraceScript()
    let readings = script.stream("readings", "makeStream", traits: .hot)
    let taken = script.stream("readings.values", "values", from: [readings], traits: traits)
    let edge = script.subscribe(readings, to: taken, at: 0)
    let reading = script.subscribe(taken, at: 0)
    var free = 0.0
    var events: [(time: Double, stream: UInt32)] = []
    for number in 0..<20 {
      let time = Double(number) * gap + 1
      free = max(time + 0.1, free)
      events += [(time, readings), (free, taken)]
      free += 30
    }
    for event in events.sorted(by: { $0.time < $1.time }) {
      script.value(event.stream, "21", at: event.time)
    }
    script.end(edge, of: readings, .completed, at: free + 1)
    script.end(reading, of: taken, .completed, at: free + 1)
    return try script.findings()
  }

  @Test("G1: elements that come faster than their consumer takes them wait longer and longer")
  func elements() throws {
    let found = try readings(gap: 14)
    #expect(found.map(\.kind) == [.backlog])
    #expect(found.first?.place == .stream(1))
  }

  @Test("G1: a consumer that keeps up, elements in one go, or a policy that drops are no backlog")
  func elementsInTime() throws {
    #expect(try readings(gap: 31).isEmpty)
    #expect(try readings(gap: 0.1).isEmpty)
    #expect(try readings(gap: 14, traits: [.hot, .holds, .swallows]).isEmpty)
  }
}
