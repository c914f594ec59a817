import Foundation
import Synchronization
import Testing
import VarveFormat
import VarveProbe

@Suite("Traces that are being written, and those whose writer died")
struct LiveTests {
  private let folder: TraceFolder

  init() throws { folder = try TraceFolder() }

  private func records(_ range: Range<UInt64>, stream: UInt32 = 1) -> RecordBytes {
    var records = RecordBytes(firstSequence: range.lowerBound)
    for number in range {
      records.add(stream: stream, ticks: number * 10, payload: .integer(Int64(number)))
    }
    return records
  }

  private func words(_ reader: TraceReader) throws -> [UInt64] {
    try reader.blocks.indices.flatMap { try reader.columns($0).words }
  }

  @Test("F4: a reader sees what is written so far, and the rest when it looks again")
  func growing() throws {
    let writer = try TraceWriter(creating: folder.path(), header: .sample())
    var reader = try TraceReader(path: folder.path())
    #expect(reader.events == 0)
    for round in 0..<20 as Range<UInt64> {
      try writer.append(definitions: [.scheduler(SchedulerDefinition(id: UInt32(round), name: "s"))]
      )
      try writer.append(records(round * 50 + 1..<round * 50 + 51))
      let earlier = reader
      reader = try reader.refreshed()
      #expect(earlier.events == round * 50)
      #expect(reader.events == round * 50 + 50)
      #expect(reader.definitions.schedulers.count == Int(round) + 1)
      #expect(reader.damage == [])
    }
    #expect(try words(reader) == Array(1...1_000))
    try writer.finish(ending: .clean)
    reader = try reader.refreshed()
    #expect(reader.ending == .clean)
    #expect(reader.bytes == writer.bytes)
    #expect(try words(reader.refreshed()) == Array(1...1_000))
  }

  @Test("F4: a reader that looks again and again while another thread writes sees no damage")
  func concurrently() throws {
    let path = folder.path()
    let writer = try TraceWriter(creating: path, header: .sample())
    let whole = (0..<200 as Range<UInt64>).map { records($0 * 40 + 1..<$0 * 40 + 41) }
    try writer.append(whole[0])
    var sidecar = SidecarBytes(process: .running)
    sidecar.add(records(1..<1), ring: 1)
    _ = try folder.write(sidecar.bytes, to: "run.varve-live")
    // A thread and not a task: this test would hold the thread that the task waits for.
    let writing = Writing(whole.dropFirst(), with: writer)
    Thread(block: writing.run).start()
    var reader = try TraceReader(path: path)
    var isWritten = false
    while !isWritten {
      isWritten = writing.isOver.load(ordering: .acquiring)
      reader = try reader.refreshed()
      let seen = try words(reader)
      #expect(seen == Array(1...UInt64(seen.count)))
      #expect(reader.damage == [])
    }
    #expect(reader.ending == .clean)
    #expect(try words(reader) == Array(1...8_000))
  }

  /// Puts a file in the place of the trace, and gives the one that was there a name of its own.
  private func rotate(to name: String?) throws {
    let files = FileManager.default
    if let name { try files.linkItem(atPath: folder.path(), toPath: folder.path(name)) }
    #expect(rename(folder.path("run.varve-next"), folder.path()) == 0)
  }

  /// The file that is about to take the place of the trace.
  private func next() throws -> TraceWriter {
    try TraceWriter(creating: folder.path("run.varve-next"), header: .sample())
  }

  private func leave(_ range: Range<UInt64>) throws {
    var sidecar = SidecarBytes(process: .running)
    sidecar.add(records(range), ring: 1)
    _ = try folder.write(sidecar.bytes, to: "run.varve-live")
  }

  private func words(_ trace: GrowingTrace) throws -> [UInt64] { try trace.parts.flatMap(words) }

  @Test("F4: a trace that goes on in other files is read on through all of them")
  func rotated() throws {
    var writer = try TraceWriter(creating: folder.path(), header: .sample())
    try writer.append(records(1..<51))
    try leave(51..<61)
    var trace = GrowingTrace(try TraceReader(path: folder.path()))
    #expect(try words(trace) == Array(1...60))
    // The file goes on, another one takes its place, and what the ring holds follows that.
    try writer.append(records(51..<101))
    try leave(131..<141)
    var following = try next()
    try following.append(records(101..<131))
    try rotate(to: "run-1.varve")
    try trace.refresh()
    #expect(!trace.isOver)
    #expect(trace.parts.count == 2 && trace.parts[0].isReplaced)
    #expect(try words(trace) == Array(1...140))
    try writer.finish(ending: .clean)
    trace.close { _ in true }
    #expect(try words(trace) == Array(101...140))
    // Two at once, one of them finished and of one name with the present for a moment.
    try following.append(records(131..<151))
    try leave(151..<171)
    writer = try next()
    try writer.append(records(151..<161))
    try rotate(to: "run-2.varve")
    try following.finish(ending: .clean)
    following = try next()
    try following.append(records(161..<171))
    try rotate(to: "run-3.varve")
    try writer.finish(ending: .clean)
    try FileManager.default.linkItem(atPath: folder.path(), toPath: folder.path("run-4.varve"))
    try leave(171..<181)
    try trace.refresh()
    #expect(!trace.isOver && trace.parts.count == 3)
    #expect(try words(trace) == Array(101...180))
    try following.append(records(171..<181))
    try following.finish(ending: .clean)
    try FileManager.default.removeItem(atPath: folder.path("run.varve-live"))
    try trace.refresh()
    #expect(trace.isOver && trace.latest.ending == .clean)
    #expect(try words(trace) == Array(101...180))
  }

  @Test("F4: a flight recorder that writes its file anew is followed, with strangers beside it")
  func writtenAnew() throws {
    let stranger = try TraceWriter(
      creating: folder.path("run-1.varve"), header: .sample(id: TraceID(low: 1, high: 1)))
    try stranger.append(records(1..<10))
    let writer = try TraceWriter(creating: folder.path(), header: .sample())
    try writer.append(records(1..<51))
    try leave(51..<61)
    var trace = GrowingTrace(try TraceReader(path: folder.path()))
    try writer.append(records(51..<61))
    let anew = try next()
    try anew.append(records(41..<61))
    try anew.append(records(61..<71))
    try leave(71..<81)
    try rotate(to: nil)
    try trace.refresh()
    #expect(try words(trace) == Array(1...60) + Array(41...80))
    // Nothing is in its place for a while, and the recorder is still there; then it is not.
    #expect(unlink(folder.path()) == 0)
    try trace.refresh()
    #expect(!trace.isOver)
    #expect(unlink(folder.path("run.varve-live")) == 0)
    try trace.refresh()
    #expect(trace.isOver)
  }

  @Test("F4: a block that is half written is no damage while the program runs, and is afterwards")
  func halfWritten() throws {
    let writer = try TraceWriter(creating: folder.path(), header: .sample())
    try writer.append(records(1..<100))
    let end = writer.bytes
    try writer.append(records(100..<200))
    let bytes = try folder.read()
    _ = try folder.write(Array(bytes.dropLast(30)))
    _ = try folder.write(SidecarBytes(process: .running).bytes, to: "run.varve-live")
    let running = try TraceReader(path: folder.path())
    #expect(running.ending == .running)
    #expect(running.events == 99)
    #expect(running.damage == [])
    _ = try folder.write(SidecarBytes(process: .gone).bytes, to: "run.varve-live")
    let killed = try TraceReader(path: folder.path())
    #expect(killed.ending == .killed)
    #expect(killed.damage.map(\.offset) == [end])
    _ = try folder.write(bytes)
    #expect(try running.refreshed().events == 199)
  }

  @Test("what lies in the rings follows the file's events, and what lies in both is there once")
  func leftovers() throws {
    let writer = try TraceWriter(creating: folder.path(), header: .sample())
    try writer.append(records(1..<51), ring: 1)
    try writer.append(records(1..<31, stream: 2), ring: 2)
    try writer.append(definitions: [.thread(ThreadDefinition(ring: 1, systemID: 1, name: "main"))])
    var sidecar = SidecarBytes()
    sidecar.add(records(21..<40, stream: 2), ring: 2, name: "worker")
    sidecar.add(records(41..<46), ring: 1, name: "another name")
    sidecar.add(records(1..<4, stream: 3), ring: 3, name: "late", passed: 65_500)
    sidecar.add(DefinitionTests.all)
    _ = try folder.write(sidecar.bytes, to: "run.varve-live")
    let reader = try TraceReader(path: folder.path())
    #expect(reader.warnings == [])
    #expect(reader.damage == [])
    #expect(reader.blocks.map(\.offset).map { $0 == nil } == [false, false, true, true])
    #expect(reader.blocks.map(\.ring) == [1, 2, 2, 3])
    #expect(reader.blocks.map(\.count) == [50, 30, 9, 3])
    #expect(reader.blocks[2].name(0) == EventName(ring: 2, sequence: 31))
    #expect(try words(reader) == Array(1...50) + Array(1...39) + Array(1...3))
    #expect(reader.blocks[2].ticks == 310...390)
    #expect(reader.blocks[2].streams.mayContain(2))
    #expect(!reader.blocks[2].streams.mayContain(3))
    let late = EventName(ring: 3, sequence: 65_502)
    #expect(reader.block(of: late) == (reader.blocks[3].index(of: late) == nil ? nil : 3))
    #expect(reader.definitions.threads[1]?.name == "main")
    #expect(reader.definitions.threads[2]?.name == "worker")
    #expect(reader.definitions.streams[12] == DefinitionTests.stream)
    #expect(reader.inflatedBlocks == 2)
  }

  @Test("rings with more records than a block holds become several blocks")
  func manyLeftovers() throws {
    _ = try TraceWriter(creating: folder.path(), header: .sample())
    var sidecar = SidecarBytes()
    var small = RecordBytes()
    for tick in 0..<2_000 as Range<UInt64> { small.add(ticks: tick) }
    sidecar.add(small, ring: 1)
    _ = try folder.write(sidecar.bytes, to: "run.varve-live")
    let reader = try TraceReader(path: folder.path())
    #expect(reader.events == 2_000)
    #expect(reader.blocks.allSatisfy { $0.offset == nil })
  }

  @Test("a sidecar that belongs to another trace is ignored, with a warning")
  func stranger() throws {
    let writer = try TraceWriter(creating: folder.path(), header: .sample())
    try writer.append(records(1..<11))
    var sidecar = SidecarBytes(trace: TraceID(low: 5, high: 6), process: .running)
    sidecar.add(records(1..<100), ring: 4)
    _ = try folder.write(sidecar.bytes, to: "run.varve-live")
    let reader = try TraceReader(path: folder.path())
    #expect(reader.events == 10)
    #expect(reader.ending == .killed)
    #expect(reader.warnings.count == 1)
    #expect(reader.warnings.first?.contains("another trace") == true)
  }

  @Test("T5: of a file that was not completed, a sidecar that is missing is missed")
  func missingSidecar() throws {
    var writer = try TraceWriter(creating: folder.path(), header: .sample())
    try writer.append(records(1..<11))
    var reader = try TraceReader(path: folder.path())
    #expect(reader.lacksSidecar)
    #expect(reader.warnings.count == 1)
    #expect(reader.warnings.first?.contains("FILE-live, which is missing") == true)
    var sidecar = SidecarBytes()
    sidecar.add(records(11..<21), ring: 1)
    _ = try folder.write(sidecar.bytes, to: "run.varve-live")
    reader = try TraceReader(path: folder.path())
    #expect(!reader.lacksSidecar && reader.warnings == [])
    #expect(reader.events == 20 && reader.sidecarEvents == 10)
    #expect(reader.sidecarBytes == UInt64(sidecar.bytes.count))
    // Another trace's is no substitute.
    _ = try folder.write(
      SidecarBytes(trace: TraceID(low: 5, high: 6)).bytes, to: "run.varve-live")
    reader = try TraceReader(path: folder.path())
    #expect(reader.lacksSidecar && reader.warnings.count == 1 && reader.sidecarBytes == nil)
    // What the recording has gone on from has none of its own.
    let finished = folder.path("run-1.varve")
    #expect(rename(folder.path(), finished) == 0)
    #expect(try TraceReader(path: finished).lacksSidecar)
    _ = try TraceWriter(creating: folder.path(), header: .sample())
    #expect(try !TraceReader(path: finished).lacksSidecar)
    // A complete file needs none.
    writer = try TraceWriter(creating: folder.path("whole.varve"), header: .sample())
    try writer.finish(ending: .clean)
    #expect(try !TraceReader(path: folder.path("whole.varve")).lacksSidecar)
  }

  @Test("B6: the stack that a signal struck is among the stacks, and a repaired trace keeps it")
  func struckStack() throws {
    _ = try TraceWriter(creating: folder.path(), header: .sample())
    var sidecar = SidecarBytes()
    sidecar.crash(signal: 11, ring: 2, programCounter: 0xdead_beef, callers: [0x4711, 0x4712])
    _ = try folder.write(sidecar.bytes, to: "run.varve-live")
    let live = try TraceReader(path: folder.path())
    let frames = [
      StackFrame(address: 0xdead_beef, isResumption: true), StackFrame(address: 0x4711),
      StackFrame(address: 0x4712),
    ]
    #expect(live.definitions.stacks[StackDefinition.struckID]?.frames == frames)
    let repaired = folder.path("repaired.varve")
    try TraceRepair.write(live, to: repaired)
    let kept = try TraceReader(path: repaired)
    #expect(kept.definitions.stacks[StackDefinition.struckID]?.frames == frames)
    // A count that cannot be does not lead out of the header.
    sidecar.crash(signal: 11, ring: 2, programCounter: 1, claiming: .max)
    _ = try folder.write(sidecar.bytes, to: "run.varve-live")
    let lied = try TraceReader(path: folder.path())
    #expect(lied.definitions.stacks[StackDefinition.struckID]?.frames.count == 65)
  }

  @Test("how the recording ended is told by the sidecar while there is no trailer")
  func endings() throws {
    let writer = try TraceWriter(creating: folder.path(), header: .sample())
    var sidecar = SidecarBytes()
    sidecar.crash(signal: 11, ring: 2, programCounter: 0xdead_beef)
    _ = try folder.write(sidecar.bytes, to: "run.varve-live")
    let crash = TraceEnding.crashed(signal: 11, ring: 2, programCounter: 0xdead_beef)
    #expect(try TraceReader(path: folder.path()).ending == crash)
    try writer.finish(ending: .clean)
    #expect(try TraceReader(path: folder.path()).ending == .clean)
  }
}

/// Carries a writer to the one thread that uses it.
/// Writes a trace to its end on another thread.
private final class Writing: @unchecked Sendable {
  // Safety: the writer is used by the one thread that runs it.
  private let parts: ArraySlice<RecordBytes>
  private let writer: TraceWriter
  let isOver = Atomic<Bool>(false)

  init(_ parts: ArraySlice<RecordBytes>, with writer: TraceWriter) {
    self.parts = parts
    self.writer = writer
  }

  func run() {
    defer { isOver.store(true, ordering: .releasing) }
    do {
      for records in parts { try writer.append(records) }
      try writer.finish(ending: .clean)
    } catch {
      Issue.record(error)
    }
  }
}
