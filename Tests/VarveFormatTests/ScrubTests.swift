import Testing
import VarveFormat
import VarveProbe

@Suite("Taking the values out of a trace")
struct ScrubTests {
  private let folder: TraceFolder

  init() throws { folder = try TraceFolder() }

  @Test("T7: no value is left in any form, and all else stays")
  func scrub() throws {
    let path = folder.path()
    try GoldenTrace().write(to: path)
    let old = try TraceReader(path: path)
    let out = folder.path("safe.varve")
    let outcome = try TraceScrub.write(old, to: out)
    let new = try TraceReader(path: out)
    #expect(try new.verify() == [])
    #expect(new.header.id != old.header.id)
    #expect(new.header.process.arguments.isEmpty && new.header.process.host.isEmpty)
    #expect(new.definitions.streams == old.definitions.streams)
    #expect(new.losses == old.losses)
    #expect(new.time.anchors == old.time.anchors)
    #expect(new.ending == old.ending)
    #expect(outcome.events == old.events)
    var withheld: UInt64 = 0
    for (before, after) in zip(old.readableBlocks(), new.readableBlocks()) {
      #expect(after.name(0) == before.name(0))
      #expect(after.ticks == before.ticks)
      #expect(after.kinds == before.kinds)
      #expect(after.streams == before.streams)
      #expect(after.subscriptions == before.subscriptions)
      #expect(after.backs == before.backs)
      #expect(after.farCauses.elementsEqual(before.farCauses) { $0 == $1 })
      for index in 0..<before.count {
        switch PayloadKind(rawValue: before.payloadKinds[index]) {
        // Not a value: how many were left out.
        case .unsigned where before.kinds[index] == RecordKind.skipped.rawValue,
          .absent, .unit, .typeOnly, .withheld, .stream, .reason, .cause, .task, .awaited, .made:
          #expect(after.payloadKinds[index] == before.payloadKinds[index])
          #expect(after.words[index] == before.words[index])
        default:
          #expect(after.payloadKinds[index] == PayloadKind.withheld.rawValue)
          #expect(after.words[index] == 0)
          #expect(after.textStarts[index] == after.textStarts[index + 1])
          withheld += 1
        }
      }
    }
    #expect(outcome.withheld == withheld)
  }

  @Test("T7: a secret that lies in the sidecar alone is not in the new file either")
  func sidecar() throws {
    let sample = try SampleTrace(in: folder, isFinished: false)
    let path = try folder.write(sample.bytes)
    var rest = RecordBytes(firstSequence: 25)
    rest.add(stream: 1, ticks: 9_000, payload: .string("hunter2"))
    rest.add(.log, stream: 0, ticks: 9_001, payload: .string("hunter2 logged in"))
    var sidecar = SidecarBytes()
    sidecar.add(rest, ring: 1)
    _ = try folder.write(sidecar.bytes, to: "run.varve-live")
    let out = folder.path("safe.varve")
    try TraceScrub.write(TraceReader(path: path), to: out)
    let new = try TraceReader(path: out)
    #expect(new.events == 38)
    let text = new.readableBlocks().map { String(decoding: $0.heap, as: UTF8.self) }.joined()
    #expect(text == "")
    let raw = String(decoding: try folder.read("safe.varve"), as: UTF8.self)
    #expect(!raw.contains("hunter2"))
  }

  @Test("T7: neither the arguments nor the host's name are left, also where few values go")
  func header() throws {
    let path = folder.path()
    var header = TraceHeader.sample()
    header.process.arguments = ["-hidden-name", "--token=hunter2"]
    header.process.host = "till-of-the-queen"
    let writer = try TraceWriter(creating: path, header: header)
    try writer.append(definitions: DefinitionTests.all)
    try writer.finish(ending: .clean)
    func found(_ bytes: [UInt8]) -> [String] {
      let text = String(decoding: bytes, as: UTF8.self)
      return ["hidden-name", "hunter2", "till-of-the-queen"].filter { text.contains($0) }
    }
    // The header and its copy bear them as they are.
    #expect(found(try folder.read()).count == 3)
    let out = folder.path("safe.varve")
    try TraceScrub.write(TraceReader(path: path), to: out, removing: { $0 == 12 })
    #expect(found(try folder.read("safe.varve")) == [])
    let process = try TraceReader(path: out).header.process
    #expect(process.arguments.isEmpty && process.host.isEmpty)
    #expect(process.program == header.process.program && process.pid == header.process.pid)
  }

  @Test("only the values of the streams that are chosen go")
  func chosen() throws {
    let sample = try SampleTrace(in: folder)
    let old = try TraceReader(path: try folder.write(sample.bytes))
    let out = folder.path("safe.varve")
    let outcome = try TraceScrub.write(old, to: out, removing: { $0 == 12 })
    #expect(outcome.withheld == 9)
    for columns in try TraceReader(path: out).readableBlocks() {
      for index in 0..<columns.count {
        switch columns.streams[index] {
        case 12:
          #expect(columns.payloadKinds[index] != PayloadKind.string.rawValue)
        case 1: #expect(columns.payloadKinds[index] == PayloadKind.integer.rawValue)
        default: break
        }
      }
    }
  }
}
