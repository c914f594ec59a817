import Foundation
import Testing
import VarveFormat
import VarveProbe

/// What a format version's first library wrote, kept for ever.
///
/// `VARVE_MAKE_GOLDEN=1 Tools/test --filter GoldenTests` makes the golden file of the current
/// version. It refuses to overwrite one: a change that needs that needs a new version instead.
@Suite("Golden files")
struct GoldenTests {
  private static let isMaking = ProcessInfo.processInfo.environment["VARVE_MAKE_GOLDEN"] != nil

  private static func path(_ version: TraceVersion) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Golden/format-\(version).varve").path
  }

  @Test("a golden file is made once", .enabled(if: isMaking))
  func make() throws {
    let path = Self.path(.current)
    try #require(!FileManager.default.fileExists(atPath: path), "\(path) is there already")
    try GoldenTrace().write(to: path)
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
  }

  private func expectGolden(_ path: String) throws {
    let golden = GoldenTrace()
    let reader = try TraceReader(path: path)
    var header = reader.header
    header.version = .current
    #expect(header == golden.header)
    #expect(reader.ending == golden.ending)
    #expect(reader.losses == golden.losses)
    #expect(reader.time.anchors == [golden.header.anchor] + golden.anchors)
    #expect(reader.warnings == [])
    #expect(try reader.verify() == [])
    var definitions = TraceDefinitions()
    for definition in golden.definitions { definitions.insert(definition) }
    #expect(reader.definitions.streams == definitions.streams)
    #expect(reader.definitions.schedulers == definitions.schedulers)
    #expect(reader.definitions.threads == definitions.threads)
    let events = try golden.records.map { try $0.records.columns(ring: $0.ring) }
    #expect(reader.readableBlocks() == events)
    #expect(reader.blocks.map(\.firstEvent) == [1, 197, 3_197, 3_499])
  }

  @Test(
    "F1: the file that the first version wrote says today what it said then",
    .disabled(if: isMaking, "the file is being made"))
  func golden() throws {
    try expectGolden(Self.path(TraceVersion(major: 1, minor: 0)))
  }

  @Test("F1: what is written today says the same")
  func today() throws {
    let folder = try TraceFolder()
    try GoldenTrace().write(to: folder.path())
    try expectGolden(folder.path())
  }
}
