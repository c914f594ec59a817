import Foundation
import Testing
import VarveFormat
import VarveProbe

/// The golden trace that a crash has left, with its sidecar.
@Suite("Golden files of a crash")
struct GoldenCrashTests {
  /// The golden file; its sidecar lies beside it.
  static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden/format-1.0-crash.varve").path

  private func expectGolden(_ path: String) throws {
    let golden = GoldenCrash()
    let reader = try TraceReader(path: path)
    var header = reader.header
    header.version = .current
    #expect(header == golden.header)
    #expect(reader.ending == golden.ending)
    #expect(reader.losses == golden.losses + [golden.gap])
    #expect(reader.warnings == [] && reader.damage.isEmpty)
    #expect(try reader.verify() == [])
    var definitions = TraceDefinitions()
    for definition in golden.definitions + golden.latest { definitions.insert(definition) }
    let struck = StackDefinition(
      id: StackDefinition.struckID,
      frames: [StackFrame(address: 0x5555_5555_4004, isResumption: true)]
        + golden.callers.map { StackFrame(address: $0) })
    definitions.insert(.stack(struck))
    let found = reader.definitions
    #expect(found.streams == definitions.streams)
    #expect(found.schedulers == definitions.schedulers)
    #expect(found.stacks == definitions.stacks)
    #expect(found.modules == definitions.modules)
    #expect(found.symbols == definitions.symbols)
    // What somebody has defined counts, not a ring's own word for its thread.
    #expect(found.threads == definitions.threads)
    let events = try (golden.written + golden.waiting).map { try $0.records.columns(ring: $0.ring) }
    #expect(reader.readableBlocks() == events)
    #expect(reader.blocks.map { $0.offset == nil } == [false, false, true, true, true])
  }

  @Test("F1: the trace and the sidecar of a crash say today what they said when they were made")
  func golden() throws { try expectGolden(Self.path) }

  @Test("F1: what is written today says the same")
  func today() throws {
    let folder = try TraceFolder()
    try GoldenCrash().writeTrace(to: folder.path())
    _ = try folder.write(GoldenCrash().sidecar, to: "run.varve-live")
    try expectGolden(folder.path())
  }

  @Test("F1: a sidecar's layout is to the byte what it was")
  func sidecarBytes() throws {
    let kept = try Data(contentsOf: URL(fileURLWithPath: Self.path + "-live"))
    #expect([UInt8](kept) == GoldenCrash().sidecar)
  }
}
