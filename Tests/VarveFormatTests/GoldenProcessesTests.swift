import Foundation
import Testing
import VarveFormat
import VarveProbe

/// The processes of merged recordings, in files of today and of before.
@Suite("Processes in files")
struct GoldenProcessesTests {
  private static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden/format-1.7.varve").path

  private func expectGolden(_ path: String) throws {
    let golden = GoldenProcesses()
    let reader = try TraceReader(path: path)
    #expect(reader.header.version >= TraceVersion(major: 1, minor: 7))
    #expect(reader.warnings == [] && reader.damage.isEmpty)
    #expect(try reader.verify() == [])
    #expect(reader.events == 2)
    let processes = reader.definitions.processes
    #expect(
      processes == Dictionary(uniqueKeysWithValues: golden.processes.map { ($0.recording, $0) }))
  }

  @Test("F1: the file that the first version with processes wrote says today what it said then")
  func golden() throws {
    // As in `GoldenTests`.
    if ProcessInfo.processInfo.environment["VARVE_MAKE_GOLDEN"] == "format-1.7.varve" {
      try GoldenProcesses().write(to: Self.path)
    }
    try expectGolden(Self.path)
  }

  @Test("F1: what is written today says the same of processes")
  func today() throws {
    let folder = try TraceFolder()
    try GoldenProcesses().write(to: folder.path())
    try expectGolden(folder.path())
  }
}
