import CVarveSystem
import Foundation
import Testing
import VarveFormat
import VarveProbe

@Suite("Repairing a trace")
struct RepairTests {
  private let folder: TraceFolder

  init() throws { folder = try TraceFolder() }

  private func lines(_ reader: TraceReader) -> [String] {
    reader.readableBlocks().flatMap { columns in
      columns.lines.enumerated().map { "#\(columns.name($0)) \($1)" }
    }
  }

  @Test("T5: what a dead program left in its sidecar is folded into the file, every event of it")
  func fold() throws {
    let sample = try SampleTrace(in: folder, isFinished: false)
    let path = try folder.write(sample.bytes)
    var sidecar = SidecarBytes()
    var rest = RecordBytes(firstSequence: 25)
    for tick in 0..<40 as Range<UInt64> {
      rest.add(stream: 7, ticks: 9_000 + tick, payload: .string("left \(tick)"))
    }
    sidecar.add(rest, ring: 1, name: "worker")
    sidecar.add([.scheduler(SchedulerDefinition(id: 77, name: "late"))])
    sidecar.crash(signal: 6, ring: 1, programCounter: 4_242)
    _ = try folder.write(sidecar.bytes, to: "run.varve-live")

    let old = try TraceReader(path: path)
    let out = folder.path("whole.varve")
    let outcome = try TraceRepair.write(old, to: out)
    let new = try TraceReader(path: out)
    #expect(outcome.folded == 40)
    #expect(outcome.events == 76)
    #expect(outcome.bytes == new.bytes)
    #expect(new.header == old.header)
    #expect(lines(new) == lines(old))
    #expect(new.definitions.schedulers[77]?.name == "late")
    #expect(new.definitions.threads[1]?.name == "worker")
    #expect(new.definitions.streams == old.definitions.streams)
    #expect(new.losses == old.losses)
    #expect(new.time.anchors == old.time.anchors)
    #expect(new.ending == .crashed(signal: 6, ring: 1, programCounter: 4_242))
    #expect(try new.verify() == [])
  }

  @Test("F3: the sidecar, and then the repaired file, tells when a killed program was last alive")
  func lastSeen() throws {
    let sample = try SampleTrace(in: folder, isFinished: false)
    let path = try folder.write(sample.bytes, to: "run.varve")
    let before = try TraceReader(path: path).time
    let seen = before.lastTick + 7_000_000_000
    var sidecar = SidecarBytes(process: .gone)
    sidecar.seen(at: seen)
    _ = try folder.write(sidecar.bytes, to: "run.varve-live")

    let old = try TraceReader(path: path)
    #expect(old.time.lastTick == seen)
    #expect(old.time.anchors == before.anchors)
    let out = folder.path("whole.varve")
    try TraceRepair.write(old, to: out)
    let new = try TraceReader(path: out)
    #expect(new.time.lastTick == seen)
    #expect(lines(new) == lines(old))
    #expect(try new.verify() == [])
  }

  @Test("F3: of a damaged trace the intact blocks are kept as they are, with their names")
  func damaged() throws {
    let sample = try SampleTrace(in: folder)
    let whole = try TraceReader(path: folder.write(sample.bytes))
    let ranges = blockRanges(in: sample.bytes).filter { $0.kind == 2 }.map(\.range)
    for (block, range) in ranges.enumerated() {
      for index in [range.lowerBound + 3, range.lowerBound + 30, range.upperBound - 1] {
        var bytes = sample.bytes
        bytes[index] ^= 0x10
        let old = try TraceReader(path: try folder.write(bytes))
        let out = folder.path("whole.varve")
        let outcome = try TraceRepair.write(old, to: out, replacing: true)
        #expect(outcome.damage.count == 1)
        #expect(outcome.damage.first?.offset == UInt64(range.lowerBound))
        let new = try TraceReader(path: out)
        #expect(lines(new) == lines(old))
        #expect(new.readableBlocks().count == ranges.count - 1)
        #expect(new.block(of: whole.blocks[block].name(0)) == nil)
        #expect(try new.verify() == [])
      }
    }
  }

  @Test("a trace that is whole is the same again, byte for byte")
  func whole() throws {
    let sample = try SampleTrace(in: folder)
    let out = folder.path("whole.varve")
    try TraceRepair.write(TraceReader(path: try folder.write(sample.bytes)), to: out)
    #expect(try folder.read("whole.varve") == sample.bytes)
  }

  @Test("F1: blocks of kinds that are not known here are kept")
  func unknown() throws {
    let sample = try SampleTrace(in: folder, isFinished: false)
    let strange = CraftedBlock(kind: 99, codec: 0, fields: [1, 2, 3], payload: [4, 5, 6])
    let path = try folder.write(sample.bytes + strange.bytes())
    try TraceRepair.write(TraceReader(path: path), to: folder.path("whole.varve"))
    #expect(blockRanges(in: try folder.read("whole.varve")).contains { $0.kind == 99 })
  }

  @Test("F2: a block of facts with right checksums that cannot be unpacked is left out")
  func liars() throws {
    let sample = try SampleTrace(in: folder, isFinished: false)
    for kind in [3, 4, 5] as [UInt8] {
      let lie = CraftedBlock(kind: kind, codec: 1, payload: [0xff, 0xff, 0xff], rawBytes: 20)
      let old = try TraceReader(path: try folder.write(sample.bytes + lie.bytes()))
      let out = folder.path("whole.varve")
      let outcome = try TraceRepair.write(old, to: out, replacing: true)
      #expect(outcome.damage.map(\.offset) == [UInt64(sample.bytes.count)])
      let new = try TraceReader(path: out)
      #expect(lines(new) == lines(old))
      #expect(try new.verify() == [])
    }
  }

  @Test("a file that is there is left alone unless it is to be replaced, and never half written")
  func replacing() throws {
    let sample = try SampleTrace(in: folder)
    let reader = try TraceReader(path: try folder.write(sample.bytes))
    let other = try folder.write([1, 2, 3], to: "other")
    #expect(throws: TraceFileError.self) { try TraceRepair.write(reader, to: other) }
    // What is no trace is not replaced at all.
    #expect(throws: TraceFileError.self) {
      try TraceRepair.write(reader, to: other, replacing: true)
    }
    #expect(try folder.read("other") == [1, 2, 3])
    #expect(throws: TraceFileError.self) { try TraceRepair.write(reader, to: reader.path) }
    try TraceRepair.write(reader, to: reader.path, replacing: true)
    #expect(try folder.read() == sample.bytes)
    #expect(throws: TraceFileError.self) {
      try TraceRepair.write(reader, to: folder.path("no/such/folder"))
    }
    let names = try FileManager.default.contentsOfDirectory(
      atPath: URL(fileURLWithPath: reader.path).deletingLastPathComponent().path)
    #expect(!names.contains { $0.contains(".part-") })
  }

  /// A file that was not completed, with records beside it.
  private func cutOff(
    sidecarOf id: TraceID = TraceHeader.sample().id
  ) throws -> (path: String, live: String) {
    let sample = try SampleTrace(in: folder, isFinished: false)
    let path = try folder.write(sample.bytes)
    var sidecar = SidecarBytes(trace: id)
    var rest = RecordBytes(firstSequence: 25)
    for tick in 0..<40 as Range<UInt64> { rest.add(stream: 7, ticks: 9_000 + tick) }
    sidecar.add(rest, ring: 1)
    return (path, try folder.write(sidecar.bytes, to: "run.varve-live"))
  }

  private func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  @Test("T5: repaired in its own place, a trace holds all of its sidecar, which goes")
  func inPlace() throws {
    let (path, live) = try cutOff()
    let old = try TraceReader(path: path)
    let before = lines(old)
    let elsewhere = try TraceRepair.write(old, to: folder.path("whole.varve"))
    #expect(!elsewhere.isSidecarRemoved && isThere(live))
    let outcome = try TraceRepair.write(old, to: path, replacing: true)
    #expect(outcome.folded == 40 && outcome.isSidecarRemoved)
    #expect(!isThere(live))
    let new = try TraceReader(path: path)
    #expect(lines(new) == before)
    #expect(new.warnings == [] && new.sidecarEvents == 0)
    let names = try FileManager.default.contentsOfDirectory(
      atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path)
    #expect(Set(names) == ["run.varve", "whole.varve", "sample"])
  }

  @Test("T5: a sidecar of another trace, one that is damaged and one that was refilled stay")
  func sidecarStays() throws {
    let (path, live) = try cutOff(sidecarOf: TraceID(low: 5, high: 6))
    var outcome = try TraceRepair.write(TraceReader(path: path), to: path, replacing: true)
    #expect(!outcome.isSidecarRemoved && isThere(live))
    _ = try cutOff()
    var bytes = try folder.read("run.varve-live")
    bytes += [UInt8](repeating: 1, count: 4096)
    // The region that its header tells of is none.
    withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { extent in
      let offset = MemoryLayout<vv_sidecar>.offset(of: \.extent)!
      bytes.replaceSubrange(offset..<offset + 8, with: extent)
    }
    _ = try folder.write(bytes, to: "run.varve-live")
    outcome = try TraceRepair.write(TraceReader(path: path), to: path, replacing: true)
    #expect(outcome.folded == 40 && outcome.damage.count == 1)
    #expect(!outcome.isSidecarRemoved && isThere(live))
    // One of its definitions contradicts its checksum; the other one is kept.
    _ = try cutOff()
    var defining = SidecarBytes()
    for (id, name) in [(9_000, "broken"), (9_001, "whole")] as [(UInt32, String)] {
      defining.add([.scheduler(SchedulerDefinition(id: id, name: name))])
    }
    bytes = defining.bytes
    let name = try #require(bytes.firstRange(of: Array("broken".utf8)))
    bytes[name.lowerBound] ^= 1
    _ = try folder.write(bytes, to: "run.varve-live")
    outcome = try TraceRepair.write(TraceReader(path: path), to: path, replacing: true)
    #expect(outcome.damage.map(\.reason) == ["sidecar: definitions contradict themselves (1)"])
    #expect(!outcome.isSidecarRemoved && isThere(live))
    let kept = try TraceReader(path: path)
    #expect(kept.definitions.schedulers[9_000] == nil)
    #expect(kept.definitions.schedulers[9_001] != nil)
    #expect(try kept.verify().allSatisfy { $0.reason.hasPrefix("sidecar") })
    // One of them is no more than zeros: where the next one begins, nothing tells.
    _ = try cutOff()
    bytes = defining.bytes
    let broken = try #require(bytes.firstRange(of: Array("broken".utf8)))
    // A definition begins with its length and checksum, kind and id, and the length of the name.
    bytes.replaceSubrange(broken.lowerBound - 17..<broken.lowerBound - 13, with: [0, 0, 0, 0])
    _ = try folder.write(bytes, to: "run.varve-live")
    outcome = try TraceRepair.write(TraceReader(path: path), to: path, replacing: true)
    #expect(
      outcome.damage.map(\.reason) == ["sidecar: what lies behind 0 bytes of definitions is none"])
    #expect(!outcome.isSidecarRemoved && isThere(live))
    // The program went on after the trace was opened: what came then is in the sidecar alone.
    _ = try cutOff()
    let reader = try TraceReader(path: path)
    var sidecar = SidecarBytes()
    var rest = RecordBytes(firstSequence: 25)
    for tick in 0..<41 as Range<UInt64> { rest.add(stream: 7, ticks: 9_000 + tick) }
    sidecar.add(rest, ring: 1)
    _ = try folder.write(sidecar.bytes, to: "run.varve-live")
    outcome = try TraceRepair.write(reader, to: path, replacing: true)
    #expect(outcome.folded == 40 && !outcome.isSidecarRemoved && isThere(live))
    #expect(try TraceReader(path: path).sidecarEvents == 1)
  }

  @Test("a trace that is being recorded is not repaired")
  func running() throws {
    let sample = try SampleTrace(in: folder, isFinished: false)
    let path = try folder.write(sample.bytes)
    _ = try folder.write(SidecarBytes(process: .running).bytes, to: "run.varve-live")
    let reader = try TraceReader(path: path)
    #expect(throws: TraceFileError.self) {
      try TraceRepair.write(reader, to: folder.path("whole.varve"))
    }
  }
}
