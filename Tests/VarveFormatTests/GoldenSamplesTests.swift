import Foundation
import Testing
import VarveFormat
import VarveProbe

/// Failures of tasks, and samples of work, in files of today and of before.
@Suite("Samples in files")
struct GoldenSamplesTests {
  private static func path(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Golden/\(name)").path
  }

  private func expectGolden(_ path: String) throws {
    let golden = GoldenSamples()
    let reader = try TraceReader(path: path)
    #expect(reader.header.version >= TraceVersion(major: 1, minor: 5))
    #expect(reader.warnings == [] && reader.damage.isEmpty)
    #expect(try reader.verify() == [])
    #expect(reader.readableBlocks() == [try golden.records.columns(ring: 1)])
    #expect(Set(reader.definitions.stacks.keys) == [5, 70_000])
  }

  @Test("F1: the file that the first version with samples wrote says today what it said then")
  func golden() throws { try expectGolden(Self.path("format-1.5.varve")) }

  @Test("F1: what is written today says the same of samples")
  func today() throws {
    let folder = try TraceFolder()
    try GoldenSamples().write(to: folder.path())
    try expectGolden(folder.path())
  }

  @Test("F1: merged traces have the stacks of both, and what is known of each sample's thread")
  func merged() throws {
    let folder = try TraceFolder()
    var golden = GoldenSamples()
    for (name, pid) in [("a.varve", 7), ("b.varve", 8)] as [(String, UInt32)] {
      golden.header.id = .random()
      golden.header.process.pid = pid
      try golden.write(to: folder.path(name))
    }
    let readers = try ["a.varve", "b.varve"].map { try TraceReader(path: folder.path($0)) }
    try TraceMerge.write(readers, to: folder.path("merged.varve"))
    let merged = try TraceReader(path: folder.path("merged.varve"))
    var began: Set<UInt64> = []
    var sampled: [UInt64: [Bool]] = [:]
    for block in merged.readableBlocks() {
      for index in 0..<block.count {
        let subscription = block.subscriptions[index]
        switch RecordKind(rawValue: block.kinds[index]) {
        case .hopBegan: began.insert(subscription)
        case .hopSampled:
          let payload = HopPayload(word: block.words[index])
          #expect(merged.definitions.stacks[payload.stack] != nil)
          sampled[subscription, default: []].append(payload.parent != 0)
        default: break
        }
      }
    }
    #expect(began.count == 8 && Set(sampled.keys) == began)
    #expect(sampled.values.allSatisfy { $0 == [false, true] })
  }
}
