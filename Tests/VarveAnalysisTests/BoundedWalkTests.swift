import Testing
import VarveFormat
import VarveProbe
import VarveTraceScript

@testable import VarveAnalysis

/// Walks along what a trace says hangs together come to an end, and remember no more than they may.
@Suite("Walks with a bound")
struct BoundedWalkTests {
  private let folder = TemporaryFolder()

  private func flood(
    _ events: UInt64, _ definitions: [TraceDefinition], _ record: (UInt64) -> FloodedTrace.Record
  ) throws -> TraceReader {
    let path = folder.file("flood.varve")
    try FloodedTrace.write(to: path, events: events, definitions: definitions, record)
    return try TraceReader(path: path)
  }

  // MARK: - Causes

  private func name(_ sequence: Int) -> EventName {
    EventName(ring: 1, sequence: UInt64(sequence))
  }

  /// Events that each name some earlier ones, by their places; the first has place 0.
  private func graph(_ causes: [[Int]]) throws -> CausalGraph {
    var script = TraceScript()
    let stream = script.stream("s")
    for (place, named) in causes.enumerated() {
      script.record(
        .value, of: stream, .unit, at: Double(place + 1),
        causes: named.map { name($0 + 1) })
    }
    let path = folder.file("causes.varve")
    try script.write(to: path)
    let lookup = EventLookup(try TraceReader(path: path))
    return try #require(CausalGraph(of: name(causes.count), in: lookup))
  }

  @Test("a cause is left out exactly when it led to another cause, by any way")
  func directCauses() throws {
    var numbers = SystemRandomNumberGenerator()
    for _ in 0..<20 {
      let causes = (0..<40).map { place in
        place == 0
          ? [] : (0..<Int.random(in: 1...4, using: &numbers)).map { _ in Int.random(in: 0..<place) }
      }
      var led: [Set<Int>] = []
      for named in causes {
        led.append(named.reduce(into: []) { $0.formUnion(led[$1].union([$1])) })
      }
      for (event, told) in try graph(causes).causes {
        let named = Set(causes[Int(event.sequence) - 1])
        let direct = named.filter { cause in !named.contains { led[$0].contains(cause) } }
        #expect(told == direct.sorted(by: >).map { name($0 + 1) })
      }
    }
  }

  @Test("F2: events that all name the first and the last before them are told at once")
  func denseCauses() throws {
    let graph = try graph(
      (0..<4_000).map { place in
        Array(
          Set([0, 1, 2, 3, place - 4, place - 3, place - 2, place - 1]).filter {
            $0 >= 0 && $0 < place
          })
      })
    #expect(graph.events.count == 4_000)
    #expect(
      graph.causes.allSatisfy {
        $0.key.sequence == 1 || $0.value == [name(Int($0.key.sequence) - 1)]
      })
  }

  // MARK: - Ways

  @Test("F2: all backtraces together go back only so far")
  func circles() throws {
    // A thousand hops, each given by the next, at one place of one scheduler: nothing but repeats.
    let stack = TraceDefinition.stack(StackDefinition(id: 1, frames: [StackFrame(address: 1)]))
    let reader = try flood(16_384, [stack]) { number in
      FloodedTrace.Record(
        .hopScheduled, of: 1, subscription: number, .cause,
        HopPayload(stack: 1, parent: number % 1_000 + 1).word)
    }
    var chains = HopChains(reader, TraceWalk(steps: 25_000))
    let found = chains.backtraces(of: 1...1_000)
    #expect(found.count == 1_000 && found.values.allSatisfy(\.isCut))
    let steps = found.values.reduce(0) { all, backtrace in
      backtrace.segments.reduce(all) { $0 + 1 + $1.repeats }
    }
    #expect(steps == 25_000)
  }

  private func chain(of count: UInt32) -> StreamPlaces {
    var definitions = TraceDefinitions()
    for id in 1...count {
      definitions.insert(
        .stream(
          StreamDefinition(
            id: id, name: "s", derivation: "s", operation: "map(_:)",
            parents: id == 1 ? [] : [id - 1],
            place: id == 1 ? Place(file: "A.swift", line: 1) : nil,
            valueType: "Int", born: 0)))
    }
    return StreamPlaces(definitions)
  }

  @Test("F2: a way from stream to stream takes as many steps as there are, and no more")
  func ways() {
    let places = chain(of: 100)
    let (enough, few) = (TraceWalk(steps: 99), TraceWalk(steps: 98))
    #expect(places.leads(from: 1, to: 100, enough) && enough.isOutOfSteps)
    #expect(!places.leads(from: 1, to: 100, few) && few.isOutOfSteps)
  }

  @Test("F2: the place that is nearest is not looked for in the whole program")
  func near() {
    #expect(chain(of: 900).near(900) == Place(file: "A.swift", line: 1))
    #expect(chain(of: 5_000).near(5_000) == nil)
  }

  @Test("F2: events that lie far apart are not looked up for ever")
  func lookups() throws {
    var script = TraceScript()
    let stream = script.stream("s")
    for number in 1...25 { script.value(stream, "v", at: Double(number)) }
    let path = folder.file("apart.varve")
    try script.write(to: path, blockEvents: 1)
    let walk = TraceWalk(repeats: 10 * 1_024)
    let lookup = EventLookup(try TraceReader(path: path), walk)
    // One block more than are kept: each is decoded again when its turn comes.
    let found = (0..<100 as Range<UInt64>).map {
      lookup[EventName(ring: 1, sequence: $0 % 25 + 1)] != nil
    }
    #expect(found.prefix(35).allSatisfy { $0 })
    #expect(!found[35] && lookup.damage.count == 1)
  }

  // MARK: - Memory

  @Test("F2: to know whose work runs takes no more memory if very much of it never ends")
  func schedulers() throws {
    let work = TraceDefinition.scheduler(SchedulerDefinition(id: 1, name: "work"))
    var selection = Selection()
    selection.schedulers = [try NamePattern("work")]
    let events: UInt64 = 196_608
    let reader = try flood(events, [work]) {
      FloodedTrace.Record(.hopBegan, of: 1, subscription: $0, .absent, 0)
    }
    var query = try EventQuery(selection, in: reader, columns: .ticks)
    query.run { _ in true }
    #expect(query.count == events && query.passedOver.work == 0)
    let running = RunningSchedulers(in: reader)
    #expect(running.scheduler(ring: 1, sequence: events) == 1 && running.passedOver.work == 0)
  }

  @Test("F2: of the latest events so many ticks are kept as are asked for, however many share one")
  func newest() {
    var each = NewestTicks(3)
    each.add([1, 2, 3])
    #expect(each.oldest == 1 && each.surplus == 0)
    each.add([4])
    #expect(each.oldest == 2 && each.surplus == 0)
    var newest = NewestTicks(3)
    newest.add([1, 7])
    #expect(newest.oldest == nil)
    newest.add([7, 7, 7])
    #expect(newest.oldest == 7 && newest.surplus == 1)
    newest.add([2, 7, 7])
    #expect(newest.oldest == 7 && newest.surplus == 3)
    newest.add([6, 7, 8])
    #expect(newest.oldest == 7 && newest.surplus == 5)
    newest.add([9, 9])
    #expect(newest.oldest == 8 && newest.surplus == 0)
  }
}
