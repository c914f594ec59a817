import Synchronization
import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

/// Three threads, a few hundred events each, in small blocks.
private struct ManyEvents {
  let folder = TemporaryFolder()
  let reader: TraceReader

  init(blockEvents: Int = 16) throws {
    var script = TraceScript()
    let streams = (0..<12).map { script.stream("stream\($0)") }
    let scheduler = script.scheduler("stream3")
    let threads: [UInt32] = [1, script.thread("two", ring: 2), script.thread("three", ring: 3)]
    var random = Numbers(seed: 7)
    for thread in threads {
      var time = 0.0
      for index in 0..<400 {
        time += Double(random.next() % 1000) / 1000
        // Each stream has a hundred events of its own, so that most blocks hold one stream alone.
        let stream = streams[(index / 100 + Int(thread) * 4 - 4) % 12]
        if index % 17 == 0 {
          script.record(
            .hopScheduled, of: scheduler, at: time, ring: thread, subscription: UInt64(index))
        } else if index % 23 == 0 {
          script.end(
            UInt64(index), of: stream, index % 2 == 0 ? .disposed : .completed, at: time,
            ring: thread)
        } else {
          script.record(.value, of: stream, .integer(Int64(index)), at: time, ring: thread)
        }
      }
    }
    try script.write(to: folder.file("many.varve"), blockEvents: blockEvents)
    reader = try TraceReader(path: folder.file("many.varve"))
  }

  /// Returns the blocks that are read while `body` runs. One may be read again, where two threads decode.
  func blocksRead(_ body: () throws -> Void) rethrows -> Set<Int> {
    let read = Mutex<Set<Int>>([])
    reader.watch { block in read.withLock { _ = $0.insert(block) } }
    defer { reader.watch(nil) }
    try body()
    return read.withLock { $0 }
  }

  /// An event as a query hands it out.
  struct Event: Equatable {
    var event: EventName
    var ticks: UInt64
    var kind: RecordKind?
    var name: String?
    var word: UInt64
  }

  /// The events that a pass without order sees.
  func swept(_ selection: Selection = Selection()) throws -> Set<EventName> {
    final class Part { var seen: [EventName] = [] }
    var sweep = try EventSweep(selection, in: reader, columns: .ticks)
    let parts = try sweep.run({ Part() }) { part, columns, rows in
      let indices = rows.map { $0.map { Int($0) } } ?? Array(columns.ticks.indices)
      part.seen += indices.map { columns.name($0) }
    }
    #expect(sweep.damage.isEmpty)
    let all = parts.flatMap(\.seen)
    #expect(Set(all).count == all.count)
    return Set(all)
  }

  func events(_ selection: Selection = Selection()) throws -> [Event] {
    var query = try EventQuery(
      selection, in: reader, columns: [.kinds, .streams, .payloads, .subscriptions])
    var events: [Event] = []
    query.run { page in
      page.forEach { batch, index in
        let columns = batch.columns
        let kind = RecordKind(rawValue: columns.kinds[index])
        let stream = reader.definitions.streams[columns.streams[index]]
        events.append(
          Event(
            event: columns.name(index), ticks: columns.ticks[index], kind: kind,
            name: kind?.isHop == true ? nil : stream?.name, word: columns.words[index]))
      }
      return true
    }
    #expect(query.damage.isEmpty)
    return events
  }
}

/// Numbers that look random and are the same each time.
private struct Numbers: RandomNumberGenerator {
  var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 33
  }
}

@Suite("Queries")
struct EventQueryTests {
  private func selection(
    _ change: (inout Selection) throws -> Void
  ) rethrows -> Selection {
    var selection = Selection()
    try change(&selection)
    return selection
  }

  @Test("events of several threads come in the order of their ticks", arguments: [1, 7, 16, 4096])
  func order(blockEvents: Int) throws {
    let events = try ManyEvents(blockEvents: blockEvents).events()
    #expect(events.count == 1200)
    #expect(Set(events.map(\.event)).count == 1200)
    #expect(events.map(\.ticks) == events.map(\.ticks).sorted())
  }

  @Test(
    "thread by thread, the events of each come in the order in which they were written",
    arguments: [1, 7, 4096])
  func byThread(blockEvents: Int) throws {
    let many = try ManyEvents(blockEvents: blockEvents)
    let values = selection { $0.kinds = KindSelection([.value]) }
    for chosen in [Selection(), values] {
      var query = try EventQuery(
        chosen, in: many.reader, columns: .ticks, payloadsOf: nil, isByThread: true)
      var seen: [EventName] = []
      query.run { page in
        page.forEach { batch, index in seen.append(batch.columns.name(index)) }
        return true
      }
      let all = try many.events(chosen).map(\.event)
      #expect(seen == all.sorted { ($0.ring, $0.sequence) < ($1.ring, $1.sequence) })
    }
    let last = selection { $0.tail = 5 }
    var query = try EventQuery(
      last, in: many.reader, columns: .ticks, payloadsOf: nil, isByThread: true)
    var seen: [EventName] = []
    query.run { page in
      page.forEach { batch, index in seen.append(batch.columns.name(index)) }
      return true
    }
    #expect(seen == (try many.events(last).map(\.event)))
  }

  @Test("a selection gives exactly what a filter over everything gives")
  func filters() throws {
    let many = try ManyEvents()
    let all = try many.events()
    let span = try #require(TraceSpan(of: many.reader).ticks)
    let middle = span.lowerBound + (span.upperBound - span.lowerBound) / 2
    let half = TimeExpression.sinceStart(middle - TraceScript.start)
    let disposed = UInt64(EndReason.disposed.rawValue)
    let cases: [(Selection, (ManyEvents.Event) -> Bool)] = [
      (try selection { $0.names = [try NamePattern("stream3")] }, { $0.name == "stream3" }),
      (
        try selection { $0.names = [try NamePattern("stream1*"), try NamePattern("/m5$/")] },
        { $0.name?.hasPrefix("stream1") == true || $0.name == "stream5" }
      ),
      (
        try selection { $0.excluded = [try NamePattern("stream1*")] },
        { $0.name?.hasPrefix("stream1") != true }
      ),
      (
        try selection {
          $0.names = [try NamePattern("*")]
          $0.excluded = [try NamePattern("*2")]
        }, { $0.name != nil && $0.name?.hasSuffix("2") == false }
      ),
      (try selection { $0.kinds = try KindSelection(names: "hop") }, { $0.kind == .hopScheduled }),
      (
        try selection { $0.kinds = try KindSelection(names: "disposed") },
        { $0.kind == .ended && $0.word == disposed }
      ),
      (selection { $0.since = half }, { $0.ticks >= middle }),
      (selection { $0.until = half }, { $0.ticks <= middle }),
      (
        try selection {
          $0.until = half
          $0.names = [try NamePattern("stream5")]
        }, { $0.ticks <= middle && $0.name == "stream5" }
      ),
    ]
    for (selection, matches) in cases {
      let expected = all.filter(matches)
      #expect(!expected.isEmpty && expected.count < all.count)
      #expect(try many.events(selection) == expected)
      #expect(try many.swept(selection) == Set(expected.map(\.event)))
    }
    #expect(try many.swept() == Set(all.map(\.event)))
    let first = selection { $0.head = 5 }
    #expect(try many.swept(first) == Set(all.prefix(5).map(\.event)))
  }

  @Test(
    "head and tail give the first and the last of what matches", arguments: [0, 1, 5, 63, 5000])
  func ends(count: Int) throws {
    let many = try ManyEvents()
    for name in ["*", "stream7"] {
      let names = try selection { $0.names = [try NamePattern(name)] }
      let all = try many.events(names)
      var head = names
      head.head = count
      #expect(try many.events(head) == Array(all.prefix(count)))
      var tail = names
      tail.tail = count
      #expect(try many.events(tail) == Array(all.suffix(count)))
    }
  }

  @Test(
    "head and tail together give the first and the last, and none of them twice",
    arguments: [0, 1, 5, 63, 640, 5000])
  func bothEnds(count: Int) throws {
    let many = try ManyEvents()
    for name in ["*", "stream7"] {
      let names = try selection { $0.names = [try NamePattern(name)] }
      let all = try many.events(names)
      for (first, last) in [(count, 3), (3, count), (count, count), (all.count - 2, 5)] {
        var both = names
        (both.head, both.tail) = (first, last)
        let middle = max(0, all.count - first - last)
        let rest = all.suffix(all.count - min(all.count, first)).dropFirst(middle)
        #expect(try many.events(both) == Array(all.prefix(first) + rest))
      }
    }
  }

  @Test("the last of events that share a tick are the last that are shown", arguments: [2, 3, 5])
  func ties(blockEvents: Int) throws {
    var script = TraceScript()
    let stream = script.stream("s")
    let other = script.thread("two", ring: 2)
    for _ in 0..<5 { script.record(.value, of: stream, .unit, at: 1) }
    for _ in 0..<5 { script.record(.value, of: stream, .unit, at: 1, ring: other) }
    let folder = TemporaryFolder()
    try script.write(to: folder.file("ties.varve"), blockEvents: blockEvents)
    let reader = try TraceReader(path: folder.file("ties.varve"))
    var names: [EventName] = []
    var query = try EventQuery(selection { $0.tail = 3 }, in: reader, columns: [])
    query.run { page in
      page.forEach { names.append($0.columns.name($1)) }
      return true
    }
    #expect(names == [3, 4, 5].map { EventName(ring: other, sequence: $0) })
  }

  @Test("F5: a name touches only the blocks in which it occurs")
  func skipsByName() throws {
    let many = try ManyEvents()
    var holding: Set<Int> = []
    var columns = EventColumns()
    let wanted = try #require(many.reader.definitions.streams.values.first { $0.name == "stream7" })
    for index in many.reader.blocks.indices {
      try many.reader.decode(index, into: &columns, columns: [.streams, .kinds])
      let occurs = zip(columns.streams, columns.kinds).contains {
        $0 == wanted.id && RecordKind(rawValue: $1)?.isHop == false
      }
      if occurs { holding.insert(index) }
    }
    let chosen = try selection { $0.names = [try NamePattern("stream7")] }
    var events: [ManyEvents.Event] = []
    let read = try many.blocksRead { events = try many.events(chosen) }
    #expect(!events.isEmpty)
    #expect(read == holding)
    #expect(holding.count < many.reader.blocks.count / 4)
  }

  @Test("F5: a time touches only the blocks that reach into it")
  func skipsByTime() throws {
    let many = try ManyEvents()
    let span = try #require(TraceSpan(of: many.reader).ticks)
    let quarter = span.lowerBound + (span.upperBound - span.lowerBound) / 4
    let blocks = many.reader.blocks
    let reaching = blocks.indices.filter { blocks[$0].ticks.lowerBound <= quarter }
    let chosen = selection { $0.until = .sinceStart(quarter - TraceScript.start) }
    var events: [ManyEvents.Event] = []
    let read = try many.blocksRead { events = try many.events(chosen) }
    #expect(!events.isEmpty)
    #expect(read == Set(reaching))
    #expect(reaching.count < blocks.count)
  }

  @Test("an event can be named as a moment, and one that is not there is refused")
  func eventMoment() throws {
    let many = try ManyEvents()
    let all = try many.events()
    let some = all[500]
    let from = try many.events(selection { $0.since = .event(some.event) })
    #expect(from == all.filter { $0.ticks >= some.ticks })
    let error = try #require(throws: SelectionError.self) {
      _ = try many.events(selection { $0.since = .event(EventName(ring: 2, sequence: 5000)) })
    }
    #expect(
      error.message == "there is no event #2.5000; the trace has #2.1 to #2.400 of that thread")
  }

  @Test("moments count from the start, from the end, by parts and by the wall's clock")
  func moments() throws {
    let many = try ManyEvents()
    let all = try many.events()
    let last = try #require(all.last).ticks
    let duration = last - TraceScript.start
    let wall = Int64(many.reader.header.process.started) + 100_000_000
    let cases: [(TimeExpression, UInt64)] = [
      (.beforeEnd(50_000_000), last - 50_000_000), (.part(0.5), TraceScript.start + duration / 2),
      (.wall(wall), TraceScript.start + 100_000_000), (.sinceStart(0), TraceScript.start),
    ]
    for (expression, tick) in cases {
      let found = try many.events(selection { $0.since = expression })
      #expect(found == all.filter { $0.ticks >= tick })
    }
    #expect(try many.events(selection { $0.since = .sinceStart(duration + 1) }).isEmpty)
    #expect(try many.events(selection { $0.until = .wall(0) }).isEmpty)
  }
}
