import Testing
import VarveFormat
import VarveProbe
import VarveTraceScript

@testable import VarveAnalysis

/// Steps at which an operator did what it is made for, and not what the program meant.
@Suite("Misused operators")
struct MisusedOperatorTests {
  private let folder = TemporaryFolder()

  private func decisions(_ script: TraceScript, to event: EventName) throws -> Decisions {
    let path = folder.file("decisions.varve")
    try script.write(to: path)
    let reader = try TraceReader(path: path)
    let lookup = EventLookup(reader)
    let facts = SilenceFacts(try TraceHistory(reader), reader.definitions, lookup: lookup)
    let graph = try #require(CausalGraph(of: event, in: lookup))
    return try Decisions(
      CausalPath(graph), graph, in: facts, reader, lookup: lookup,
      symbols: Symbolizer(reader.definitions))
  }

  @Test("G4: a sum of sums is told where it is; of single values, or over a hop, it is not")
  func gatheredTwice() throws {
    for (isGathered, hops) in [(true, false), (false, false), (true, true)] {
      var script = TraceScript()
      let weights = script.stream("weights", "pipe", line: 1, traits: .hot)
      let list = script.stream(
        "list", "scan(into:_:)", from: [weights], line: 2, traits: isGathered ? .gathers : [])
      let load = script.stream("load", "scan(_:_:)", from: [list], line: 3, traits: .gathers)
      let queue = script.scheduler("queue")
      script.value(weights, "420", at: 1)
      let sum = script.value(list, "[420]", at: 1, back: 1)
      if hops {
        let given = script.record(.hopScheduled, of: queue, at: 1, subscription: 1, back: 1)
        script.record(.hopBegan, of: queue, at: 2, subscription: 1, causes: [given])
      }
      let value = script.value(load, "420", at: 2, back: 1)
      let found = try decisions(script, to: value).all
      #expect(
        found.contains { $0.kind == .gatheredTwice(sum) && $0.stream == load }
          == (isGathered && !hops), "\(isGathered), \(hops)")
    }
  }

  @Test("G4: what made a value of all that it had kept is told rather than a hop on the way")
  func gatheredOf() throws {
    for gathers in [true, false] {
      var script = TraceScript()
      let moves = script.stream("moves", line: 1)
      let screen = script.scheduler("screen")
      let moved = script.stream("moved", "observe(on:)", from: [moves], line: 2, traits: .hops)
      let board = script.stream(
        "board", "scan(into:_:)", from: [moved], line: 3, traits: gathers ? .gathers : [])
      var scores: [EventName] = []
      for (index, move) in ["blue 3", "new game", "blue 2"].enumerated() {
        let time = Double(index * 10)
        script.value(moves, move, at: time)
        let given = script.record(
          .hopScheduled, of: screen, at: time, subscription: UInt64(index + 1), back: 1)
        script.record(
          .hopBegan, of: screen, at: time + 1, subscription: UInt64(index + 1), causes: [given])
        script.value(moved, move, at: time + 1, back: 1)
        scores.append(script.value(board, "\(index)", at: time + 1, back: 1))
        script.record(.hopEnded, of: screen, at: time + 2, subscription: UInt64(index + 1))
      }
      let first = try #require(try decisions(script, to: scores[2]).all.first)
      #expect(first.kind == (gathers ? .gatheredOf(3, since: scores[0]) : .hop))
      #expect(first.stream == (gathers ? board : moved))
    }
  }

  @Test("G4: what made another value of one is told before what only moved it, and after a timer")
  func turned() throws {
    for (traits, isPlain) in [(StreamTraits([.hops, .holds]), true), (.hops, false)] {
      var script = TraceScript()
      let jars = script.stream("jars", "property", line: 1)
      let scales = script.scheduler("scales")
      let moved = script.stream("moved", "observe(on:)", from: [jars], line: 2, traits: traits)
      let weight = script.stream("weight", "map(_:)", from: [moved], line: 3)
      let shown = script.stream("shown", "named(_:)", from: [weight], line: 4, traits: .renames)
      let sent = script.value(jars, "3 jars", at: 1)
      let given = script.record(.hopScheduled, of: scales, at: 1, subscription: 1, causes: [sent])
      script.record(.hopBegan, of: scales, at: 2, subscription: 1, causes: [given])
      let value = script.value(moved, "3 jars", at: 2, back: 1)
      script.value(weight, "2010", at: 2, back: 1)
      let seen = script.value(shown, "2010", at: 2, back: 1)
      let found = try decisions(script, to: seen)
      let first = try #require(found.all.first)
      #expect(first.kind == (isPlain ? .turned(value) : .hop))
      guard case .decision(let hop) = TellingStep(lastHopIn: found).choice else {
        Issue.record("no hop is told")
        return
      }
      #expect(hop.kind == .hop && hop.stream == moved)
    }
  }

  @Test(
    "G4: a finding about a stream on the way is told, unless it is a hint, and none about another")
  func finding() throws {
    var script = TraceScript()
    let source = script.stream("source", line: 3)
    let best = script.stream("best", "named(_:)", from: [source], line: 1, traits: .renames)
    let other = script.stream("other", line: 2)
    let value = script.value(best, "12", at: 1)
    let found = try decisions(script, to: value)
    let path = CausalPath(try #require(try graph(of: value)))
    for (stream, weight) in [(best, 85), (source, 85), (other, 85), (best, 40)] {
      let telling = TellingStep(found, [], path, [finding(of: stream, weight: weight)])
      if case .finding(let finding) = telling.choice {
        #expect(finding.stream != other && finding.weight == 85)
      } else {
        #expect(stream == other || weight == 40)
      }
    }
  }

  private func finding(of stream: UInt32, weight: Int) -> Finding {
    Finding(.restarted, weight: weight, place: .stream(stream), "started twice", stream: stream)
  }

  private func graph(of event: EventName) throws -> CausalGraph? {
    CausalGraph(of: event, in: EventLookup(try TraceReader(path: folder.file("decisions.varve"))))
  }

  @Test("G4: runs that one line begins side by side are told there; those of two lines are not")
  func sideBySide() throws {
    for isOneLine in [true, false] {
      var script = TraceScript()
      script.code(0x1000, "Bed.rename(to:)", line: 27)
      script.code(0x1010, "Bed.reset()", line: 31)
      script.code(0x2000, "main", line: 40)
      script.code(0x2010, "main", line: 41)
      script.stack(7, [0x1000, 0x2000])
      script.stack(8, [isOneLine ? 0x1000 : 0x1010, 0x2010])
      let label = script.stream("label", "property", line: 1)
      let queue = script.scheduler("cloud")
      let runs = [90, 15].map {
        script.stream("delay(\($0)ms)", "delay(_:on:)", traits: [.hops, .holds])
      }
      var given: [EventName] = []
      for (index, run) in runs.enumerated() {
        _ = script.subscribe(run, to: label, at: Double(index), by: UInt32(7 + index))
        given.append(
          script.record(
            .hopScheduled, of: queue, at: Double(index), subscription: UInt64(index + 50)))
      }
      var last: EventName?
      var newer: EventName?
      for index in [1, 0] {
        let time = Double(10 - index)
        script.record(
          .hopBegan, of: queue, at: time, subscription: UInt64(index + 50), causes: [given[index]])
        script.value(runs[index], "\(index)", at: time, back: 1)
        newer = last
        last = script.value(label, "\(index)", at: time, back: 1)
      }
      let found = try decisions(script, to: try #require(last)).all
      let other = try #require(newer)
      #expect((found.first?.kind == .sideBySide(other)) == isOneLine, "\(found)")
      #expect(found.contains { $0.kind == .overtaken(by: other) })
    }
  }

  @Test("G4: runs that one line begins, and whose work sets a property by itself, are told there")
  func sideBySideWork() throws {
    for isOneLine in [true, false] {
      var script = TraceScript()
      script.code(0x1000, "Editor.init(cloud:)", line: 38)
      script.code(0x1010, "Editor.save()", line: 44)
      script.stack(7, [0x1000])
      script.stack(8, [isOneLine ? 0x1000 : 0x1010])
      let pattern = script.stream("pattern", "property", line: 1)
      let stored = script.stream("stored", "property", line: 2)
      let queue = script.scheduler("network")
      var given: [EventName] = []
      for index in 0..<2 {
        let time = Double(index)
        let edit = script.value(pattern, "\(index)", at: time)
        let put = script.stream("put", "producer", derived: true, line: 3, traits: .hasEffects)
        let began = SubscriptionPayload(stream: 0, stack: UInt32(7 + index))
        script.record(
          .subscribed, of: put, .subscription(began), at: time, subscription: UInt64(index + 10),
          causes: [edit])
        given.append(
          script.record(
            .hopScheduled, of: queue, at: time, subscription: UInt64(index + 50), causes: [edit]))
      }
      var stores: [EventName] = []
      for (time, index) in [(8.0, 1), (9, 0)] {
        script.record(
          .hopBegan, of: queue, at: time, subscription: UInt64(index + 50), causes: [given[index]])
        stores.append(script.value(stored, "\(index)", at: time, back: 1))
        script.record(.hopEnded, of: queue, at: time, subscription: UInt64(index + 50))
      }
      let found = try decisions(script, to: stores[1]).all
      #expect((found.first?.kind == .sideBySide(stores[0])) == isOneLine, "\(found)")
      #expect(found.contains { $0.kind == .overtaken(by: stores[0]) })
    }
  }

  @Test(
    "G4: an observation that is replayed what an earlier one of its place had shown is told",
    arguments: [(true, false), (false, false), (true, true)])
  func replayedAgain(wasShown: Bool, isState: Bool) throws {
    var script = TraceScript()
    let notices = script.stream("notices", "subject", line: 1, traits: [.hot, .replays])
    let producer = script.stream(
      "notices.producer", "producer", from: [notices], derived: true, line: 1,
      traits: isState ? [.standsIn, .replays] : .standsIn)
    let pages = (0..<2).map { _ in
      script.stream("toast", "map(_:)", from: [producer], line: 2, traits: [])
    }
    let sent = script.value(notices, "site 14 booked", at: 1)
    var shown: EventName?
    if wasShown {
      script.record(.value, of: producer, .string("site 14 booked"), at: 1, causes: [sent])
      shown = script.value(pages[0], "site 14 booked", at: 1, back: 1)
    }
    _ = script.subscribe(producer, to: pages[1], at: 100)
    _ = script.subscribe(pages[1], at: 100, by: 7)
    let began = EventName(ring: 1, sequence: sent.sequence + (wasShown ? 4 : 2))
    script.record(.value, of: producer, .string("site 14 booked"), at: 100, causes: [sent])
    let again = script.value(pages[1], "site 14 booked", at: 100, back: 1)
    let found = try decisions(script, to: again).all
    let told = shown.map { first in found.first { $0.kind == .replayedAgain(first) } } ?? nil
    #expect((told != nil) == (wasShown && !isState), "\(found)")
    #expect(told == nil || told?.event.name == began)
  }

  @Test("G4: what kept values from a pairing join is told there; what kept none is not")
  func outOfStep() throws {
    for drops in [true, false] {
      var script = TraceScript()
      let jumps = script.stream("jumps", line: 1)
      let votes = script.stream("votes", line: 2)
      let changed = script.stream(
        "votes.skipRepeats()", "skipRepeats()", from: [votes], line: 3, traits: [],
        absorbs: .repeated)
      let pairs = script.stream(
        "pairs", "zip(with:)", from: [jumps, changed], line: 4,
        traits: [.joins, .needsAllInputs, .holds], absorbs: .gathered)
      let old = script.value(jumps, "Dahl", at: 1)
      script.value(jumps, "Endo", at: 2)
      if drops { script.value(votes, "52.5", at: 3) }
      script.value(votes, "57", at: 4)
      let vote = script.value(changed, "57", at: 4, back: 1)
      let pair = script.record(.value, of: pairs, .string("Dahl 57"), at: 4, causes: [vote, old])
      let first = try #require(try decisions(script, to: pair).all.first)
      #expect(first.kind == (drops ? .outOfStep(pair, dropped: 1) : .oldInput(old, newer: 1)))
      #expect(first.stream == (drops ? changed : pairs))
    }
  }

  @Test("G4: a join with what the same cause replaces afterwards is told; another cause's is not")
  func joinedEarly() throws {
    for isSameCause in [true, false] {
      var script = TraceScript()
      let points = script.stream("points", "property", line: 1)
      let level = script.stream("level", "property", line: 2)
      let praise = script.stream(
        "praise", "withLatest(from:)", from: [points, level], line: 3,
        traits: [.joins, .needsAllInputs, .holds])
      let old = script.value(level, "shrub", at: 1)
      let solved = script.value(points, "300", at: 2)
      let said = script.record(.value, of: praise, .string("shrub"), at: 2, causes: [solved, old])
      let newer = script.record(
        .value, of: level, .string("tree"), at: 2.5, causes: isSameCause ? [solved] : [])
      let first = try #require(try decisions(script, to: said).all.first)
      #expect(first.kind == (isSameCause ? .joinedEarly(old, newer: newer) : .joined(old)))
      #expect(first.stream == praise)
    }
  }

  /// A plan that is saved, and whose saved form is bound to it, so many times.
  private func loop(
    rounds: Int, every milliseconds: Double = 10, changing: Bool = false
  ) throws -> (found: Decisions, binding: EventName?, saves: UInt32) {
    var script = TraceScript()
    let plan = script.stream("plan", "property", line: 1, traits: [.hot, .replays])
    let saves = script.stream("saves", "map(_:)", from: [plan], line: 2)
    let request = script.stream("request", "producer", line: 3, traits: .hasEffects)
    let stored = script.stream("stored", "flatMap(.latest)", from: [saves], line: 4)
    _ = script.subscribe(plan, to: saves, at: 0)
    _ = script.subscribe(stored, to: plan, at: 0, by: 7)
    script.value(plan, "1", at: 1)
    for round in 1...rounds {
      let time = 1 + Double(round) * milliseconds
      let text = "\(round + (changing ? 1 : 0))"
      script.value(saves, text, at: time, back: 1)
      script.value(request, changing ? text : "\(round + 1)", at: time, back: 1)
      script.value(stored, "\(round + 1)", at: time, back: 1)
      script.value(plan, "\(round + 1)", at: time, back: 1)
    }
    let end = 2 + Double(rounds) * milliseconds
    let last = script.value(saves, "\(rounds + (changing ? 2 : 1))", at: end, back: 1)
    let found = try decisions(script, to: last)
    let observed = found.all.first {
      if case .fedBack = $0.kind { true } else { false }
    }
    return (found, observed?.event.name, saves)
  }

  @Test("G4: what closes a loop is told for a value that went round; a few rounds are no loop")
  func fedBack() throws {
    let found = try loop(rounds: 12)
    let first = try #require(found.found.all.first)
    guard case .fedBack(let rounds) = first.kind else {
      Issue.record("\(first.kind)")
      return
    }
    #expect(rounds >= 6 && first.event.kind == .subscribed && first.weight > 80)
    #expect(try loop(rounds: 3).binding == nil)
    #expect(try loop(rounds: 12, every: 400).binding == nil)
  }

  @Test("G4: the only operator that changes the values of a loop is told instead of its binding")
  func changedInLoop() throws {
    let found = try loop(rounds: 12, changing: true)
    let first = try #require(found.found.all.first)
    guard case .changedInLoop = first.kind else {
      Issue.record("\(first.kind)")
      return
    }
    #expect(first.stream == found.saves)
  }

  @Test("G4: who begins work elsewhere is told what came on another thread, if a hop lies above")
  func startedElsewhere() throws {
    for hops in [true, false] {
      var script = TraceScript()
      let readings = script.stream("readings", "interval", line: 1, traits: [.hops])
      let started = script.stream(
        "readings.start(on:)", "start(on:)", from: [readings], line: 2, traits: .startsElsewhere)
      let bus = script.scheduler("bus")
      if hops {
        let given = script.record(.hopScheduled, of: bus, at: 1, subscription: 1)
        script.record(.hopBegan, of: bus, at: 2, subscription: 1, causes: [given])
      }
      script.value(readings, "61", at: 2, back: hops ? 1 : 0)
      let value = script.value(started, "61", at: 2, back: 1)
      let telling = TellingStep(lastHopIn: try decisions(script, to: value))
      guard case .decision(let decision) = telling.choice else {
        Issue.record("there is nothing to tell")
        return
      }
      if case .startedElsewhere = decision.kind {
        #expect(hops && decision.stream == started)
      } else {
        #expect(!hops && decision.kind == .sent)
      }
    }
  }

  @Test("G4: a flattening whose inner streams come elsewhere undoes the move above it, and is told")
  func undoneHop() throws {
    for (between, isTold) in [(StreamTraits([]), true), (.hasEffects, false)] {
      var script = TraceScript()
      let pages = script.stream("pages", "property", line: 1)
      let moved = script.stream("moved", "observe(on:)", from: [pages], line: 2)
      let asked = script.stream("asked", "on(value:)", from: [moved], line: 3, traits: between)
      let photo = script.stream("photo", "flatMap(.latest)", from: [asked], line: 4)
      let loaded = script.stream("loaded", "action", line: 5)
      let (ui, disk) = (script.scheduler("ui"), script.scheduler("disk"))
      _ = script.subscribe(pages, to: moved, at: 0)
      _ = script.subscribe(moved, to: asked, at: 0)
      _ = script.subscribe(asked, to: photo, at: 0)
      let sent = script.value(pages, "2", at: 1)
      let given = script.record(.hopScheduled, of: ui, at: 1, subscription: 1, causes: [sent])
      script.record(.hopBegan, of: ui, at: 2, ring: 2, subscription: 1, causes: [given])
      script.value(moved, "2", at: 2, ring: 2, back: 1)
      let request = script.value(asked, "2", at: 2, ring: 2, back: 1)
      let loading = script.record(
        .hopScheduled, of: disk, at: 2, ring: 2, subscription: 2, causes: [request])
      script.record(.hopBegan, of: disk, at: 3, ring: 3, subscription: 2, causes: [loading])
      script.value(loaded, "two.jpg", at: 3, ring: 3, back: 1)
      let value = script.value(photo, "two.jpg", at: 3, ring: 3, back: 1)
      let telling = TellingStep(lastHopIn: try decisions(script, to: value))
      guard case .decision(let decision)? = telling.choice else {
        Issue.record("there is nothing to tell")
        return
      }
      if case .undoneHop = decision.kind {
        #expect(isTold && decision.stream == photo)
      } else {
        #expect(!isTold && decision.kind == .hop)
      }
    }
  }

  /// Two changes of a list, by code in two places, for one value or for two.
  private func changes(
    to lists: [String], forOneValue: Bool = true, by stacks: [UInt32] = [7, 8]
  ) throws -> [Decision] {
    var script = TraceScript()
    script.stack(7, [0x1000])
    script.stack(8, [0x2000])
    let all = script.stream("action", "pipe", line: 1, traits: .hot)
    let run = script.stream("apply", "producer", from: [all], line: 2)
    let posts = script.stream("posts", "property", line: 3, traits: [.hot, .replays])
    let one = script.value(all, "a", at: 1)
    let other = forOneValue ? one : script.value(all, "b", at: 2)
    let answer = script.record(.value, of: run, .string("a"), at: 3, causes: [other])
    var last = answer
    for (index, cause) in [one, answer].enumerated() {
      last = script.record(
        .value, of: posts, .description(lists[index]), at: 4 + Double(index), causes: [cause])
      script.record(
        .sent, of: posts, .cause(HopPayload(stack: stacks[index], parent: 0)),
        at: 4 + Double(index), causes: [last])
    }
    return try decisions(script, to: last).all.filter {
      if case .changedTwice = $0.kind { true } else { false }
    }
  }

  @Test("G4: a list to which one value is appended twice is told where the single run appends it")
  func appendedTwice() throws {
    let found = try changes(to: ["[1, 2]", "[1, 2, 2]"])
    #expect(found.count == 1 && found.first?.event.payload.text == "[1, 2, 2]")
    #expect(try changes(to: ["[2]", "[2, 2]"]).count == 1)
  }

  @Test("G4: other elements, other values, and code in one place do not append twice")
  func appendedOnce() throws {
    #expect(try changes(to: ["[1, 2]", "[1, 2, 3]"]).isEmpty)
    #expect(try changes(to: ["[1, 2]", "[1, 2, 2]"], forOneValue: false).isEmpty)
    #expect(try changes(to: ["[1, 2]", "[1, 2, 2]"], by: [7, 7]).isEmpty)
  }
}
