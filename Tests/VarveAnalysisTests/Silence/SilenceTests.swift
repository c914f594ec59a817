import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

/// Why streams of a program are silent that has one for each reason.
@Suite("Silences")
struct SilenceTests {
  private let folder = TemporaryFolder()
  private let reader: TraceReader
  private let facts: SilenceFacts

  init() throws {
    let path = folder.file("silence.varve")
    let run = try CommandRun(["silence", path], program: "CauseChild")
    try #require(run.status == 0, "\(run.output)\(run.errors)")
    reader = try TraceReader(path: path)
    facts = SilenceFacts(
      try TraceHistory(reader), reader.definitions, lookup: EventLookup(reader))
  }

  private func silence(_ name: String) throws -> Silence {
    let streams = reader.definitions.streams.values.filter { $0.name == name }
    let stream = try #require(streams.first { !facts.isStandIn($0.id) })
    return Silence(of: stream.id, in: facts)
  }

  /// Where the values stopped: the stream's name and the reason.
  private func culprit(_ name: String) throws -> (name: String, step: Silence.Step) {
    let step = try #require(silence(name).culprits.first)
    return (reader.definitions.streams[step.stream]?.name ?? "", step)
  }

  @Test("a producer that nobody started was never subscribed")
  func neverStarted() throws {
    let (name, step) = try culprit("never started")
    #expect(name == "never started")
    #expect(step.reason == .notSubscribed)
  }

  @Test("what a filter refused is counted, beside others that the same values went to")
  func filtered() throws {
    let (name, step) = try culprit("filtered out")
    #expect(name == "numbers.filter(_:)")
    #expect(step.reason == .swallowed(12, reasons: [.filtered: 12], isTold: true))
    #expect(step.received == 12)
  }

  @Test("combineLatest waits for its third input, which is named, and why that is silent")
  func waiting() throws {
    let silence = try silence("waiting")
    let combine = try #require(
      silence.steps.first { if case .waitsFor = $0.reason { true } else { false } })
    #expect(combine.reason == .waitsFor(inputs: [2]))
    let (name, step) = try culprit("waiting")
    #expect(name == "never sent")
    #expect(step.input == 2)
    #expect(step.reason == .sourceSilent)
    let inputs = silence.steps.filter { $0.depth == step.depth }
    #expect(inputs.map(\.reason) == [.delivers(12), .delivers(12), .sourceSilent])
  }

  @Test("work that is still queued is found on its scheduler")
  func queued() throws {
    let (name, step) = try culprit("queued")
    #expect(name == "numbers.observe(on: TestScheduler)")
    guard case .queued(let count, let scheduler, let since) = step.reason else {
      Issue.record("\(step.reason)")
      return
    }
    // One for each value. The one for the end was scheduled when the program was taken down, which is seen
    // unless that took long, as on a busy machine.
    #expect((12...13).contains(count))
    #expect(reader.definitions.schedulers[scheduler]?.name == "TestScheduler")
    #expect(EventLookup(reader)[since.name]?.kind == .hopScheduled)
  }

  @Test("T11: work that is to start a producer is told from what else its scheduler has to do")
  func notBegun() throws {
    let (name, step) = try culprit("not begun")
    #expect(name == "value.start(on: TestScheduler)")
    guard case .queued(1, let scheduler, _) = step.reason else {
      Issue.record("\(step.reason)")
      return
    }
    #expect(reader.definitions.schedulers[scheduler]?.name == "TestScheduler")
  }

  @Test("an observation that was disposed of says so, and the record tells by whom")
  func disposed() throws {
    let (name, step) = try culprit("disposed")
    #expect(name == "disposed")
    guard case .disposed(_, let moment) = step.reason else {
      Issue.record("\(step.reason)")
      return
    }
    let graph = try #require(CausalGraph(of: moment.name, in: EventLookup(reader)))
    let names = Set(
      graph.events.values.filter { $0.kind == .value }.compactMap {
        reader.definitions.streams[$0.stream]?.name
      })
    #expect(names == ["stop"])
  }

  @Test("a pipe that nobody sent to is a silent source, a run that was given up has ended")
  func sources() throws {
    #expect(try culprit("source silent").name == "never sent")
    #expect(try culprit("source silent").step.reason == .sourceSilent)
    guard case .ended(.interrupted, _) = try culprit("started, silent").step.reason else {
      Issue.record("it was interrupted")
      return
    }
  }

  @Test("what completes without a value says so")
  func empty() throws {
    guard case .ended(.completed, _) = try culprit("ended empty").step.reason else {
      Issue.record("it completed")
      return
    }
  }

  @Test("what delivers is not silent")
  func loud() throws {
    let silence = try silence("numbers")
    #expect(silence.culprits.isEmpty)
    #expect(silence.steps.map(\.reason) == [.delivers(12)])
  }

  @Test("T10: records of absorption are counted by reason; what they do not explain is unknown")
  func counted() throws {
    var script = TraceScript()
    let source = script.stream("source")
    let told = script.stream("source.filter(_:)", "filter(_:)", from: [source], derived: true)
    let kept = script.stream("source.map(_:)", "map(_:)", from: [source], derived: true)
    for stream in [told, kept] {
      _ = script.subscribe(source, to: stream, at: 0)
      _ = script.subscribe(stream, at: 0)
    }
    for value in 0..<5 {
      script.value(source, "\(value)", at: 1 + Double(value))
      script.record(
        .absorbed, of: told, .reason(AbsorptionReason.filtered.rawValue), at: 1.5 + Double(value),
        back: 1)
    }
    let path = folder.file("counted.varve")
    try script.write(to: path)
    let reader = try TraceReader(path: path)
    let facts = SilenceFacts(
      try TraceHistory(reader), reader.definitions, lookup: EventLookup(reader))
    let steps = try [told, kept].map { try #require(Silence(of: $0, in: facts).culprits.first) }
    #expect(steps.map(\.received) == [5, 5])
    #expect(
      steps.map(\.reason) == [.swallowed(5, reasons: [.filtered: 5], isTold: true), .unknown])
  }
}
