import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

/// What kind of stream a stream is says its definition. No label in these scripts says it.
@Suite("Kinds of silent streams")
struct KindTests {
  private let folder = TemporaryFolder()

  private func facts(_ script: TraceScript) throws -> SilenceFacts {
    let path = folder.file("kinds.varve")
    try script.write(to: path)
    let reader = try TraceReader(path: path)
    return SilenceFacts(
      try TraceHistory(reader), reader.definitions, lookup: EventLookup(reader))
  }

  /// Where the values stopped on their way to a stream, and why.
  private struct Stop: Equatable {
    var stream: UInt32
    var reason: Silence.Reason

    init(_ stream: UInt32, _ reason: Silence.Reason) {
      self.stream = stream
      self.reason = reason
    }
  }

  private func culprit(_ stream: UInt32, in script: TraceScript) throws -> Stop {
    let step = try #require(Silence(of: stream, in: facts(script)).culprits.first)
    return Stop(step.stream, step.reason)
  }

  /// A stream with two inputs, of which the second one is silent.
  private func join(_ traits: StreamTraits, _ operation: String, tellsKinds: Bool = true)
    -> (script: TraceScript, join: UInt32, silent: UInt32)
  {
    var script = TraceScript()
    script.tellsKinds = tellsKinds
    let (loud, silent) = (script.stream("loud"), script.stream("silent"))
    let join = script.stream("join", operation, from: [loud, silent], traits: traits)
    _ = script.subscribe(loud, to: join, at: 0)
    _ = script.subscribe(silent, to: join, at: 0)
    _ = script.subscribe(join, at: 0)
    script.value(loud, "one", at: 1)
    return (script, join, silent)
  }

  @Test("T11: observers of a connection that nobody began are told so, and else of its source")
  func notConnected() throws {
    for isBegun in [true, false] {
      var script = TraceScript()
      let positions = script.stream("positions", "interval", derived: true, traits: [])
      let race = script.stream(
        "race", "publish()", from: [positions], derived: true, traits: .hot)
      let leader = script.stream("leader", "map(_:)", from: [race])
      _ = script.subscribe(race, to: leader, at: 0)
      _ = script.subscribe(leader, at: 0)
      if isBegun { _ = script.subscribe(positions, to: race, at: 1) }
      let expected = isBegun ? Stop(positions, .sourceSilent) : Stop(race, .notConnected)
      let steps = try Silence(of: leader, in: facts(script)).steps
      #expect(try culprit(leader, in: script) == expected, "\(steps)")
    }
  }

  @Test("T11: a join that observes only the changes of what has a value is told, not its source")
  func waitsForChange() throws {
    for traits in [[.hot, .replays], StreamTraits.hot] {
      var script = TraceScript()
      let books = script.stream("books", "producer", derived: true)
      let order = script.stream("order", "property", traits: traits)
      let rows = script.stream(
        "rows", "combineLatest(with:)", from: [books, order], traits: [.joins, .needsAllInputs])
      _ = script.subscribe(order, to: rows, at: 0)
      _ = script.subscribe(books, to: rows, at: 0)
      _ = script.subscribe(rows, at: 0)
      script.value(books, "Emma", at: 1)
      let expected =
        traits == .hot ? Stop(order, .sourceSilent) : Stop(rows, .waitsForChange(inputs: [1]))
      #expect(try culprit(rows, in: script) == expected)
    }
  }

  @Test("G3: of a join that waits for a property's change, the code that took its signal is told")
  func takesSignal() throws {
    for isKnown in [true, false] {
      var script = TraceScript()
      let street = script.stream("street", "property", line: 1)
      let country = script.stream("country", "property", line: 2, traits: [.hot, .replays])
      if isKnown {
        let taken = SubscriptionPayload(stream: country, stack: 6)
        script.record(.read, of: country, .subscription(taken), at: 0)
      }
      let form = script.stream(
        "form", "combineLatest", from: [street, country], line: 3,
        traits: [.joins, .needsAllInputs])
      _ = script.subscribe(street, to: form, at: 0)
      _ = script.subscribe(country, to: form, at: 0)
      _ = script.subscribe(form, at: 0)
      script.value(street, "Rua do Sol", at: 1)
      let found = try script.findings().filter { $0.kind == .silence }
      #expect(found.map(\.place) == [isKnown ? .stack(6) : nil], "\(found)")
    }
  }

  @Test("T11: what needs all its inputs waits for the silent one, whatever it is called")
  func needsAll() throws {
    let own = join([.joins, .needsAllInputs], "myOperator")
    let steps = try Silence(of: own.join, in: facts(own.script)).steps
    #expect(steps.first?.reason == .waitsFor(inputs: [1]))
    #expect(try culprit(own.join, in: own.script) == Stop(own.silent, .sourceSilent))
    let merged = join(.joins, "combineLatest(_:_:)")
    #expect(try culprit(merged.join, in: merged.script) == Stop(merged.join, .unknown))
  }

  @Test("T11: a cold source was not subscribed where a hot one was not fed")
  func sources() throws {
    for (traits, reason) in [
      (StreamTraits.hot, Silence.Reason.sourceSilent), ([], .notSubscribed),
    ] {
      var script = TraceScript()
      // Each bears the label of the other.
      let source = script.stream("source", traits == .hot ? "producer" : "pipe", traits: traits)
      script.value(script.stream("other"), "one", at: 1)
      #expect(try culprit(source, in: script) == Stop(source, reason))
    }
  }

  @Test("T11: what makes streams of its values and made none says so")
  func makesStreams() throws {
    for traits in [StreamTraits.makesStreams, []] {
      var script = TraceScript()
      let source = script.stream("source")
      let operation = traits.isEmpty ? "flatMap(_:_:)" : "each(_:)"
      let flat = script.stream("flat", operation, from: [source], traits: traits)
      _ = script.subscribe(source, to: flat, at: 0)
      _ = script.subscribe(flat, at: 0)
      script.value(source, "one", at: 1)
      #expect(try culprit(flat, in: script) == Stop(flat, traits.isEmpty ? .unknown : .noInner))
    }
  }

  @Test("T11: a stream that stands in for a signal need not have events of its own")
  func standsIn() throws {
    var script = TraceScript()
    let signal = script.stream("signal")
    let standIn = script.stream("producer", "anything", from: [signal], traits: .standsIn)
    let mapped = script.stream("signal.map(_:)", "map(_:)", from: [standIn], derived: true)
    _ = script.subscribe(signal, to: mapped, at: 0)
    _ = script.subscribe(mapped, at: 0)
    let facts = try facts(script)
    #expect(facts.isStandIn(standIn) && !facts.isStandIn(mapped))
    #expect(Silence(of: mapped, in: facts).culprits.map(\.stream) == [signal])
    let own = script.stream("own", "producer", from: [signal])
    #expect(try !self.facts(script).isStandIn(own))
  }

  @Test("T11: queued work is of what hops, given by its input's values, whatever it is called")
  func hops() throws {
    for traits in [StreamTraits.hops, []] {
      var script = TraceScript()
      let queue = script.scheduler("queue")
      let source = script.stream("source")
      let operation = traits.isEmpty ? "observe(on:)" : "later()"
      let later = script.stream("later", operation, from: [source], traits: traits)
      _ = script.subscribe(source, to: later, at: 0)
      _ = script.subscribe(later, at: 0)
      script.value(source, "one", at: 1)
      script.record(.hopScheduled, of: queue, at: 2, subscription: 1, back: 1)
      let stop = try culprit(later, in: script)
      #expect(stop.stream == later)
      if case .queued(1, queue, _) = stop.reason {
        #expect(!traits.isEmpty)
      } else {
        #expect(traits.isEmpty, "\(stop.reason)")
      }
    }
  }

  @Test("T11: of work that is queued, that which starts a stream's input is told from all other")
  func startsElsewhere() throws {
    var script = TraceScript()
    let queue = script.scheduler("queue")
    let sources = (1...2).map { script.stream("source \($0)", "producer", traits: []) }
    let started = sources.map {
      script.stream("started \($0)", "startLater", from: [$0], traits: .startsElsewhere)
    }
    let outer = script.stream("outer", "map(_:)", from: [started[0]])
    let busy = script.stream("busy")
    script.value(busy, "one", at: 1)
    script.record(.hopScheduled, of: queue, at: 2, subscription: 1, back: 1)
    _ = script.subscribe(started[0], to: outer, at: 3)
    _ = script.subscribe(outer, at: 3)
    let first = script.record(.hopScheduled, of: queue, at: 4, subscription: 2)
    // Not for the sake of either.
    script.record(.hopScheduled, of: queue, at: 5, subscription: 3)
    _ = script.subscribe(started[1], at: 6)
    script.record(.hopScheduled, of: queue, at: 7, subscription: 4)
    script.record(.hopBegan, of: queue, at: 8, subscription: 4, back: 1)
    let stop = try culprit(outer, in: script)
    #expect(stop.stream == started[0])
    guard case .queued(1, queue, let since) = stop.reason else {
      Issue.record("\(stop.reason)")
      return
    }
    #expect(since.name == first)
    // Its work has begun.
    #expect(try culprit(started[1], in: script) == Stop(sources[1], .notSubscribed))
  }

  @Test("T11: a stream is known by the name of what renames it, whatever that is called")
  func renames() throws {
    var script = TraceScript()
    let source = script.stream("source")
    let own = script.stream("source.map(_:)", "map(_:)", from: [source], derived: true)
    let named = script.stream("results", "called", from: [own], traits: .renames)
    let other = script.stream("source.scan(_:)", "scan(_:)", from: [source], derived: true)
    _ = script.stream("others", "named(_:)", from: [other], traits: [])
    let path = folder.file("names.varve")
    try script.write(to: path)
    let places = StreamPlaces(try TraceReader(path: path).definitions)
    #expect(places.named(own) == named && places.named(other) == other)
  }

  @Test("T11: of a trace of an older version nothing is guessed from labels")
  func olderVersion() throws {
    let old = join([.joins, .needsAllInputs], "combineLatest(_:_:)", tellsKinds: false)
    let steps = try Silence(of: old.join, in: facts(old.script)).steps
    #expect(steps.map(\.reason) == [.unknownKind] && steps.map(\.isKindKnown) == [false])
    var script = TraceScript()
    script.tellsKinds = false
    let source = script.stream("source", "pipe")
    let ended = script.stream("ended", "producer")
    script.record(.completed, of: ended, at: 1)
    #expect(try culprit(source, in: script) == Stop(source, .unknownKind))
    // What is told by records needs no kind.
    guard case .ended(.completed, _) = try culprit(ended, in: script).reason else {
      Issue.record("it completed")
      return
    }
  }
}
