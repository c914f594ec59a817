import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

/// What threads are doing at an event, as whoever follows all events from the first on knows it.
@Suite("Work of threads")
struct ThreadWorkTests {
  private let folder = TemporaryFolder()

  /// Work on three threads and two schedulers: within other work, unfinished, ended from outside, or
  /// begun before the trace.
  private struct Program {
    var script = TraceScript()
    /// For each event, the scheduler whose work ran, and whether work of the first one was going on.
    var expected: [(event: EventName, kind: RecordKind, scheduler: UInt32, isInFirst: Bool)] = []

    init(seed: UInt64) {
      var random = SeededNumbers(seed: seed)
      let stream = script.stream("values")
      let rings = [1, script.thread("one", ring: 2), script.thread("two", ring: 3)]
      let queues = [script.scheduler("first"), script.scheduler("second")]
      var stacks: [UInt32: [(hop: UInt64, queue: UInt32)]] = [:]
      for number in 1...400 as ClosedRange<UInt64> {
        let ring = rings[Int.random(in: 0..<3, using: &random)]
        let queue = queues[Int.random(in: 0..<2, using: &random)]
        let kind =
          [.hopBegan, .hopEnded, .value, .hopScheduled][
            Int.random(in: 0..<4, using: &random)] as RecordKind
        var stack = stacks[ring] ?? []
        var ended: (hop: UInt64, queue: UInt32)?
        if kind == .hopEnded {
          ended = stack.randomElement(using: &random) ?? (hop: 9_999, queue: queue)
        }
        if kind == .hopBegan { stack.append((number, queue)) }
        let event = script.record(
          kind, of: kind == .value ? stream : ended?.queue ?? queue, at: Double(number), ring: ring,
          subscription: ended?.hop ?? number)
        expected.append(
          (event, kind, stack.last?.queue ?? 0, stack.contains { $0.queue == queues[0] }))
        if let place = stack.lastIndex(where: { $0.hop == ended?.hop }) {
          stack.removeSubrange(place...)
        }
        stacks[ring] = stack
      }
    }
  }

  @Test(
    "the scheduler of each event is known in any order, and chosen, however blocks divide them",
    arguments: 1...4, [1, 7, 64, 4_096])
  func known(seed: UInt64, blockEvents: Int) throws {
    let program = Program(seed: seed)
    let path = folder.file("work.varve")
    try program.script.write(to: path, blockEvents: blockEvents)
    let reader = try TraceReader(path: path)
    let running = RunningSchedulers(in: reader)
    var random = SeededNumbers(seed: seed)
    for (event, _, scheduler, _) in program.expected.shuffled(using: &random) {
      #expect(
        running.scheduler(ring: event.ring, sequence: event.sequence) == scheduler, "\(event)")
    }
    var selection = Selection()
    selection.schedulers = [try NamePattern("first")]
    let first = try #require(reader.definitions.schedulers.values.first { $0.name == "first" })
    let chosen = try names(selection, in: reader)
    for (event, kind, _, isInFirst) in program.expected where !kind.isHop {
      #expect(chosen.contains(event) == isInFirst, "\(event)")
    }
    selection = Selection()
    selection.condition = try Condition("scheduler == \"first\"")
    #expect(try names(selection, in: reader) == chosen)
    #expect(first.id != 0 && !chosen.isEmpty)
  }

  private func names(_ selection: Selection, in reader: TraceReader) throws -> Set<EventName> {
    var names: Set<EventName> = []
    var query = try EventQuery(selection, in: reader, columns: .ticks)
    query.run { page in
      page.forEach { batch, index in names.insert(batch.columns.name(index)) }
      return true
    }
    return names
  }
}
