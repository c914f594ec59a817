import Foundation
import Testing
import VarveFormat
import VarveProbe

/// Who sends, ends, waits and reads, in files of today and of before.
@Suite("Origins in files")
struct GoldenOriginsTests {
  private static func path(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Golden/\(name)").path
  }

  private func expectGolden(_ path: String) throws {
    let golden = GoldenOrigins()
    let reader = try TraceReader(path: path)
    #expect(reader.header.version >= TraceVersion(major: 1, minor: 3))
    #expect(reader.warnings == [] && reader.damage.isEmpty)
    #expect(try reader.verify() == [])
    #expect(reader.readableBlocks() == [try golden.records.columns(ring: 1)])
    #expect(Set(reader.definitions.stacks.keys) == [5, 70_000])
  }

  @Test("F1: the file that the first version with origins wrote says today what it said then")
  func golden() throws { try expectGolden(Self.path("format-1.3.varve")) }

  @Test("F1: what is written today says the same of origins")
  func today() throws {
    let folder = try TraceFolder()
    try GoldenOrigins().write(to: folder.path())
    try expectGolden(folder.path())
  }

  @Test("F1: merged traces have the stacks of both, also where a reason carries one")
  func merged() throws {
    let folder = try TraceFolder()
    var golden = GoldenOrigins()
    for name in ["a.varve", "b.varve"] {
      golden.header.id = .random()
      try golden.write(to: folder.path(name))
    }
    let readers = try ["a.varve", "b.varve"].map { try TraceReader(path: folder.path($0)) }
    try TraceMerge.write(readers, to: folder.path("merged.varve"))
    let merged = try TraceReader(path: folder.path("merged.varve"))
    for block in merged.readableBlocks() {
      for index in 0..<block.count {
        let word = block.words[index]
        let stack =
          switch PayloadKind(rawValue: block.payloadKinds[index]) {
          case .reason: ReasonPayload(word: word).stack
          case .cause: HopPayload(word: word).stack
          default: UInt32(0)
          }
        #expect(stack == 0 || merged.definitions.stacks[stack] != nil)
      }
    }
  }
}
