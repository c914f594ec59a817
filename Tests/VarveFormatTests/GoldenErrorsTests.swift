import Foundation
import Testing
import VarveFormat
import VarveProbe

/// Errors that code throws, in files of today and of before.
@Suite("Errors in files")
struct GoldenErrorsTests {
  private func expectGolden(_ path: String) throws {
    let golden = GoldenErrors()
    let reader = try TraceReader(path: path)
    #expect(reader.header.version >= TraceVersion(major: 1, minor: 6))
    #expect(reader.warnings == [] && reader.damage.isEmpty)
    #expect(try reader.verify() == [])
    #expect(reader.readableBlocks() == [try golden.records.columns(ring: 1)])
    #expect(Set(reader.definitions.stacks.keys) == [5])
  }

  @Test("F1: the file that the first version with errors wrote says today what it said then")
  func golden() throws {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Golden/format-1.6.varve").path
    try expectGolden(path)
  }

  @Test("F1: what is written today says the same of errors")
  func today() throws {
    let folder = try TraceFolder()
    try GoldenErrors().write(to: folder.path())
    try expectGolden(folder.path())
  }
}
