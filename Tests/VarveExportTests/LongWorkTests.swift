import Foundation
import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

@testable import VarveExport

/// What the viewer shows of the middle of a recording: work that began long before, and subscriptions.
@Suite("The middle of a recording in the viewer")
struct LongWorkTests {
  private let folder = TemporaryFolder()

  /// Work of three threads and of tasks, at random, some of it long, and subscriptions.
  private struct Made {
    var script = TraceScript()
    private var numbers: Numbers
    private var time = 0.0
    private var lastHop: UInt64 = 0
    private var given: [(hop: UInt64, scheduler: UInt32, task: UInt64?)] = []
    private var running: [UInt32: (hop: UInt64, scheduler: UInt32, task: UInt64?)] = [:]
    private var waiting: [(task: UInt64, since: EventName)] = []
    private var edges: [(edge: UInt64, stream: UInt32)] = []
    private var schedulers: [UInt32] = []
    private var streams: [UInt32] = []
    private var lastTask: UInt64 = 0
    /// How many subscriptions of each stream were open after each time.
    private(set) var open: [(tick: UInt64, counts: [UInt32: Int])] = []

    /// The same numbers on each machine.
    private struct Numbers {
      var state: UInt64
      mutating func next(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
      }
    }

    init(seed: UInt64, steps: Int) {
      numbers = Numbers(state: seed)
      schedulers = [script.scheduler("one"), script.scheduler("two")]
      streams = (0..<5).map { script.stream("s\($0)", line: UInt32($0 + 1)) }
      script.taskTemplate(1)
      for ring in UInt32(2)...4 { _ = script.thread("worker \(ring)", ring: ring) }
      for _ in 0..<steps { step() }
    }

    @discardableResult
    private mutating func hop(
      _ kind: RecordKind, _ hop: UInt64, _ scheduler: UInt32, _ ring: UInt32,
      _ payload: ScriptedPayload = .cause(HopPayload(stack: 0, parent: 0)),
      causes: [EventName] = []
    ) -> EventName {
      script.record(
        kind, of: scheduler, payload, at: time, ring: ring, subscription: hop, causes: causes)
    }

    private mutating func give(_ task: UInt64?, from ring: UInt32, after cause: EventName? = nil) {
      lastHop += 1
      let scheduler = schedulers[numbers.next(2)]
      hop(.hopScheduled, lastHop, scheduler, ring, causes: cause.map { [$0] } ?? [])
      given.append((lastHop, scheduler, task))
    }

    private mutating func step() {
      time += Double(1 + numbers.next(1_000)) / 1_000
      let ring = UInt32(2 + numbers.next(3))
      switch numbers.next(24) {
      case 0..<5: give(nil, from: ring)
      case 5..<7:
        lastTask += 1
        script.record(
          .taskCreated, of: 0, .made(TaskCreationPayload(template: 1, creator: 0)), at: time,
          ring: ring, subscription: lastTask)
        give(lastTask, from: ring)
      case 7..<10:
        guard !waiting.isEmpty else { return }
        let (task, since) = waiting.remove(at: numbers.next(waiting.count))
        give(task, from: ring, after: since)
      case 10..<15: begin(ring)
      case 15..<18: end(ring)
      case 18:
        guard numbers.next(6) == 0, let place = given.firstIndex(where: { $0.task == nil }) else {
          return
        }
        let work = given.remove(at: place)
        hop(.hopCancelled, work.hop, work.scheduler, ring)
      default: subscribe(ring)
      }
    }

    private mutating func begin(_ ring: UInt32) {
      // The first piece of work is never begun, so that it waits through the whole recording.
      guard running[ring] == nil, given.count > 1 else { return }
      let work = given.remove(at: 1 + numbers.next(given.count - 1))
      running[ring] = work
      let payload = work.task.map { ScriptedPayload.task(TaskRunPayload(task: $0, priority: 25)) }
      hop(
        .hopBegan, work.hop, work.scheduler, ring,
        payload ?? .cause(HopPayload(stack: 0, parent: 0)))
    }

    private mutating func end(_ ring: UInt32) {
      // One thread has much patience.
      guard let work = running[ring], ring != 4 || numbers.next(40) == 0 else { return }
      running[ring] = nil
      guard let task = work.task else {
        hop(.hopEnded, work.hop, work.scheduler, ring)
        return
      }
      let isOver = numbers.next(3) == 0
      let awaits = isOver ? TaskAwait.nothing : .continuation
      let name = hop(
        .hopEnded, work.hop, work.scheduler, ring,
        .awaited(TaskAwaitPayload(awaited: awaits.rawValue, number: 0)))
      if !isOver { waiting.append((task, name)) }
    }

    private mutating func subscribe(_ ring: UInt32) {
      var counts = open.last?.counts ?? [:]
      if numbers.next(2) == 0, !edges.isEmpty {
        let (edge, stream) = edges.remove(at: numbers.next(edges.count))
        script.end(edge, of: stream, .disposed, at: time, ring: ring)
        counts[stream, default: 0] -= 1
      } else {
        let stream = streams[numbers.next(4)]
        edges.append((script.subscribe(stream, at: time, ring: ring), stream))
        counts[stream, default: 0] += 1
        if numbers.next(4) == 0 { script.value(stream, "v", at: time, ring: ring) }
      }
      open.append((TraceScript.ticks(time), counts))
    }
  }

  private struct Slice: Hashable {
    var lane, from: Int
    var to: Int?
    var state, label, event: String
    var by: Int?
  }

  private func session(_ script: TraceScript) throws -> (ViewerSession, TraceReader) {
    let path = folder.file("work.varve")
    try? FileManager.default.removeItem(atPath: path)
    try script.write(to: path, blockEvents: 8)
    let reader = try TraceReader(path: path)
    let session = ViewerSession(
      reader, files: ["work.varve"], symbols: { Symbolizer($0, looksUp: false) }, grows: false)
    return (session, reader)
  }

  private func rows(_ answer: ViewerAnswer, _ list: String) throws -> [[String: Any]] {
    guard case .json(let text) = answer else {
      Issue.record("that was not answered")
      return []
    }
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    return try #require(object?[list] as? [[String: Any]])
  }

  /// Whether an answer says that there is more.
  private func isPart(_ answer: ViewerAnswer) -> Bool {
    guard case .json(let text) = answer else { return false }
    return text.contains("\"more\":true")
  }

  /// Answers that wait as long as they take.
  private func answers(_ session: ViewerSession) -> ViewerEventAnswers { answers(session.snapshot) }

  private func answers(_ snapshot: ViewerSnapshot) -> ViewerEventAnswers {
    ViewerEventAnswers(snapshot, patience: AnswerPatience(.seconds(600)))
  }

  /// What is seen of a range; what ends behind it has no end.
  private func slices(
    _ session: ViewerSession, _ range: ClosedRange<Int>, limit: Int = 20_000
  ) throws -> Set<Slice> {
    try slices(session.snapshot, range, limit: limit)
  }

  private func slices(
    _ snapshot: ViewerSnapshot, _ range: ClosedRange<Int>, limit: Int = 20_000
  ) throws -> Set<Slice> {
    let query = [
      "from": String(range.lowerBound), "to": String(range.upperBound), "limit": String(limit),
    ]
    let answer = answers(snapshot).slices(ViewerQuestion("slices", query))
    let all = try rows(answer, "slices").map { row in
      Slice(
        lane: try #require(row["lane"] as? Int), from: try #require(row["from"] as? Int),
        to: row["to"] as? Int, state: try #require(row["state"] as? String),
        label: try #require(row["label"] as? String), event: try #require(row["event"] as? String),
        by: row["by"] as? Int)
    }
    return cut(Set(all), range)
  }

  private func cut(_ slices: Set<Slice>, _ range: ClosedRange<Int>) -> Set<Slice> {
    Set(
      slices.filter { $0.from <= range.upperBound && ($0.to ?? .max) >= range.lowerBound }
        .map { slice in
          var slice = slice
          if let to = slice.to, to > range.upperBound { slice.to = nil }
          return slice
        })
  }

  @Test("whatever covers a range is seen in it, however long ago it began", arguments: 1...4)
  func covering(seed: UInt64) throws {
    let (session, reader) = try session(Made(seed: seed, steps: 3_000).script)
    session.countAll(parts: 1) { parts, run in for part in 0..<parts { run(part) } }
    #expect(session.snapshot.isWhole && session.snapshot.work?.work(before: .max) != nil)
    let last = Int(reader.lastTick - session.snapshot.first)
    let whole = try slices(session, 0...last)
    #expect(whole.count > 600)
    var numbers = seed
    for part in 1..<30 {
      numbers = numbers &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let from = Int(numbers >> 33) % last
      let range = from...min(last, from + (part % 3 == 0 ? 1_000 : last / (part * 4)))
      let seen = try slices(session, range)
      let expected = cut(whole, range)
      #expect(expected.subtracting(seen).isEmpty, "\(range)")
      #expect(seen.subtracting(expected).isEmpty, "\(range)")
    }
  }

  @Test("what covers a range that has been read is seen before all is", arguments: 1...4)
  func early(seed: UInt64) throws {
    let (session, reader) = try session(Made(seed: seed, steps: 3_000).script)
    session.countAll(parts: 1) { parts, run in for part in 0..<parts { run(part) } }
    let last = Int(reader.lastTick - session.snapshot.first)
    let whole = try slices(session, 0...last)
    var parts: [LongWork] = []
    _ = LongWork(session.snapshot, blocks: 2) { soFar in
      if let soFar { parts.append(soFar) }
      return true
    }
    #expect(!parts.isEmpty && parts.allSatisfy { !$0.isDone && (1..<100).contains($0.percent) })
    #expect(parts.map(\.percent) == parts.map(\.percent).sorted())
    for part in parts {
      let snapshot = session.snapshot.with(part)
      #expect(!snapshot.isWhole && !part.knows(.max))
      for from in stride(from: 0, to: last, by: last / 50)
      where part.knows(snapshot.first + UInt64(from)) {
        let range = from...min(last, from + last / 80)
        #expect(try slices(snapshot, range) == cut(whole, range), "\(part.percent) %, \(range)")
      }
    }
  }

  @Test("what is narrower than a pixel becomes one; all is told", arguments: [0, 1, 40, 400])
  func narrow(pixels: UInt64) throws {
    let (session, reader) = try session(Made(seed: 9, steps: 3_000).script)
    session.countAll(parts: 1) { parts, run in for part in 0..<parts { run(part) } }
    let last = reader.lastTick - session.snapshot.first
    let pixel = pixels == 0 ? 0 : last / pixels
    let all = try rows(answers(session).slices(ViewerQuestion("slices", [:])), "slices")
    let question = ViewerQuestion("slices", ["pixel": String(pixel)])
    guard case .json(let text) = answers(session).slices(question) else { return }
    #expect(text.hasSuffix("\"merged\":\(pixels > 0)}"))
    let drawn = try rows(answers(session).slices(question), "slices")
    func place(_ row: [String: Any]) -> String {
      "\(row["lane"] ?? 0) \(row["state"] ?? 0) \(row["end"] ?? 0) \(row["by"] ?? 0)"
    }
    func number(_ rows: [[String: Any]]?) -> Int {
      (rows ?? []).map { $0["number"] as? Int ?? 1 }.reduce(0, +)
    }
    func span(_ row: [String: Any]) throws -> ClosedRange<Int> {
      let from = try #require(row["from"] as? Int)
      return from...max(from, row["to"] as? Int ?? .max)
    }
    let places = Dictionary(grouping: drawn, by: place)
    for (name, own) in Dictionary(grouping: all, by: place) {
      #expect(number(places[name]) == own.count)
      let covers = try places[name, default: []].map(span)
      for one in try own.map(span) {
        #expect(covers.contains { $0.contains(one.lowerBound) && $0.contains(one.upperBound) })
      }
    }
    for row in drawn where row["number"] != nil {
      #expect(try span(row).count <= Int(pixel))
    }
    #expect(pixels == 0 ? drawn.count == all.count : drawn.count < all.count)
  }

  @Test("of more than there is room for, what is long is seen, with its end")
  func long() throws {
    let (session, reader) = try session(Made(seed: 7, steps: 3_000).script)
    session.countAll(parts: 1) { parts, run in for part in 0..<parts { run(part) } }
    let last = Int(reader.lastTick - session.snapshot.first)
    let whole = try slices(session, 0...last)
    let part = try slices(session, 0...last, limit: 400)
    #expect(part.count == 400)
    let longest = whole.sorted { ($1.to ?? last) - $1.from < ($0.to ?? last) - $0.from }.prefix(100)
    #expect(longest.filter { !part.contains($0) }.isEmpty)
    for slice in part where !whole.contains(slice) {
      // What was not over where reading ended is cut there, and not drawn until the end.
      #expect(slice.to != nil && slice.to != last, "\(slice)")
    }
  }

  @Test("who has no patience gets an answer, wherever reading stops")
  func impatient() throws {
    let (session, reader) = try session(Made(seed: 5, steps: 3_000).script)
    session.countAll(parts: 1) { parts, run in for part in 0..<parts { run(part) } }
    let last = Int(reader.lastTick - session.snapshot.first)
    let answers = ViewerEventAnswers(session.snapshot, patience: AnswerPatience(.zero), small: 0)
    for limit in [1, 3, 50, 20_000] {
      for part in 0...40 {
        let (from, to) = (last * part / 40, last * part / 40 + (part % 2 == 0 ? 10 : last / 8))
        let question = ["from": String(from), "to": String(to), "limit": String(limit)]
        let answer = answers.slices(ViewerQuestion("slices", question))
        #expect(try rows(answer, "slices").count <= limit)
      }
    }
  }

  @Test("what is drawn is given up where nothing is found, and what is looked for is not")
  func nothing() throws {
    var script = TraceScript()
    // Blocks do not tell the last stream from the first.
    let streams = (1...1_025).map { script.stream("s\($0)", line: UInt32($0)) }
    for number in 0..<2_000 { script.value(streams[0], "\(number)", at: Double(number)) }
    script.value(streams[1_024], "late", at: 2_001)
    let (session, _) = try session(script)
    let answers = ViewerEventAnswers(session.snapshot, patience: AnswerPatience(.zero), small: 0)
    let lane = try #require(session.snapshot.lanes[.stream(streams[1_024])])
    let thread = try #require(session.snapshot.lanes.all.firstIndex(of: .thread(1)))
    for lanes in ["\(lane)", "\(thread)"] {
      let question = ViewerQuestion("events", ["lanes": lanes, "draws": "1"])
      let answer = answers.events(question)
      #expect(try rows(answer, "events").isEmpty && isPart(answer))
    }
    let found = answers.events(ViewerQuestion("events", ["lanes": "\(lane)"]))
    #expect(try rows(found, "events").map { $0["value"] as? String } == ["late"])
  }

  @Test("of more than can be drawn nothing is sent, and of what is listed the first ones are")
  func tooMany() throws {
    var script = TraceScript()
    let stream = script.stream("s", line: 1)
    for number in 0..<10 { script.value(stream, "\(number)", at: Double(number)) }
    let (session, _) = try session(script)
    let answers = answers(session)
    func ask(_ query: [String: String]) -> ViewerAnswer {
      answers.events(ViewerQuestion("events", query))
    }
    let drawn = ask(["limit": "9", "draws": "1"])
    #expect(try rows(drawn, "events").isEmpty && isPart(drawn))
    let all = ask(["limit": "10", "draws": "1"])
    #expect(try rows(all, "events").count == 10 && !isPart(all))
    let listed = ask(["limit": "9"])
    #expect(try rows(listed, "events").count == 9 && isPart(listed))
  }

  @Test("samples of work are told with each of its slices, and of work without any nothing is")
  func samples() throws {
    var script = TraceScript()
    let queue = script.scheduler("queue")
    let sampler = script.thread("varve.samples", ring: 2)
    for hop in UInt64(1)...2 {
      let time = Double(hop) * 1_000
      script.record(.hopScheduled, of: queue, at: time, subscription: hop)
      script.record(.hopBegan, of: queue, at: time + 1, subscription: hop)
      for part in 1...3 where hop == 1 {
        script.record(
          .hopSampled, of: 0, .cause(HopPayload(stack: UInt32(part), parent: part == 3 ? 1 : 0)),
          at: time + Double(part * 100), ring: sampler, subscription: hop)
      }
      script.record(.hopEnded, of: queue, at: time + 500, subscription: hop)
    }
    let (session, _) = try session(script)
    session.countAll(parts: 1) { parts, run in for part in 0..<parts { run(part) } }
    let question = ViewerQuestion("slices", ["from": "0", "to": "9000000000"])
    let runs = try rows(answers(session).slices(question), "slices")
      .filter { $0["state"] as? String == "runs" }
    #expect(runs.count == 4)
    for run in runs {
      let samples = run["samples"] as? [[Any]]
      guard run["from"] as? Int ?? 0 < 500_000_000 else {
        #expect(samples == nil)
        continue
      }
      #expect(samples?.map { $0[0] as? Int } == [100_000_000, 200_000_000, 300_000_000])
      #expect(samples?.map { $0[1] as? String } == ["2.1", "2.2", "2.3"])
      #expect(samples?.map { $0[3] as? Bool } == [false, false, true])
    }
  }

  @Test("few of them are kept if most go on for long, and the middle is right all the same")
  func thinned() throws {
    let (session, _) = try session(Made(seed: 3, steps: 3_000).script)
    session.countAll(parts: 1) { parts, run in for part in 0..<parts { run(part) } }
    let snapshot = session.snapshot
    let all = try #require(LongWork(snapshot, blocks: 2).work(before: .max))
    let few = LongWork(snapshot, most: 300, blocks: 2)
    let tick = snapshot.first + (snapshot.reader.lastTick - snapshot.first) / 2
    let (from, spells) = try #require(few.work(before: tick))
    #expect(from <= tick && all.from > from)
    // What went on at a moment that both have is the same.
    let dense = try #require(LongWork(snapshot, blocks: 2).work(before: from))
    #expect(dense.from == from && Set(dense.spells.map(\.name)) == Set(spells.map(\.name)))
  }

  @Test("how many subscriptions are open at a moment is what one would count", arguments: [1, 3])
  func open(parts: Int) throws {
    let made = Made(seed: 11, steps: 3_000)
    let (session, _) = try session(made.script)
    session.countAll(parts: parts) { parts, run in for part in 0..<parts { run(part) } }
    let lanes = session.snapshot.lanes
    for place in stride(from: 0, to: made.open.count, by: made.open.count / 40) {
      let (tick, counts) = made.open[place]
      let at = String(tick - session.snapshot.first)
      var told: [Int: Int] = [:]
      let answer = answers(session).state(ViewerQuestion("state", ["at": at]))
      for row in try rows(answer, "rows") {
        told[try #require(row["lane"] as? Int)] = try #require(row["open"] as? Int)
      }
      for (stream, count) in counts {
        let lane = try #require(lanes[.stream(stream)])
        #expect(told[lane] ?? 0 == count, "\(place), stream \(stream)")
      }
    }
  }
}
