import Foundation
import Testing
import VarveFormat
import VarveProbe

/// What a format version's first library wrote, kept for ever.
///
/// `VARVE_MAKE_GOLDEN=format-1.0.varve Tools/test --filter GoldenTests` makes the golden file of that
/// name. It refuses to overwrite one: a change that needs that needs a new version instead.
@Suite("Golden files")
struct GoldenTests {
  private static let made = ProcessInfo.processInfo.environment["VARVE_MAKE_GOLDEN"]
  private static let isMaking = made != nil

  /// What each golden file was made of, by its name.
  private static let goldens: [String: @Sendable (String) throws -> Void] = [
    "format-1.0.varve": { try GoldenTrace().write(to: $0) },
    "format-1.0-crash.varve": { try GoldenCrash().writeTrace(to: $0) },
    "format-1.0-crash.varve-live": {
      try Data(GoldenCrash().sidecar).write(to: URL(fileURLWithPath: $0))
    },
  ]

  private static func path(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Golden/\(name)").path
  }

  private static func path(_ version: TraceVersion) -> String { path("format-\(version).varve") }

  @Test("a golden file is made once", .enabled(if: isMaking))
  func make() throws {
    let name = try #require(Self.made)
    let write = try #require(Self.goldens[name], "there is no \(name)")
    let path = Self.path(name)
    try #require(!FileManager.default.fileExists(atPath: path), "\(path) is there already")
    try write(path)
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

  private func goldenBytes() throws -> [UInt8] {
    let path = Self.path(TraceVersion(major: 1, minor: 0))
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  @Test("F2: of the golden file, cut at any offset, the blocks that are whole are read")
  func cut() throws {
    let folder = try TraceFolder()
    let bytes = try goldenBytes()
    let blocks = blockRanges(in: bytes)
    let first = try #require(blocks.first).range.lowerBound
    let all = try TraceReader(path: folder.write(bytes)).readableBlocks()
    for length in bytes.indices {
      let path = try folder.write(Array(bytes[..<length]))
      guard let reader = try? TraceReader(path: path) else {
        #expect(length < first, "cut at \(length)")
        continue
      }
      let whole = blocks.count { $0.kind == 2 && $0.range.upperBound <= length }
      #expect(reader.blocks.count == whole, "cut at \(length)")
      guard whole > 0, length % 16 == 0 else { continue }
      var columns = EventColumns()
      try reader.decode(whole - 1, into: &columns, columns: .all)
      #expect(columns == all[whole - 1], "cut at \(length)")
    }
  }

  @Test("F3: of the golden file, with any byte flipped, only the block of that byte is lost")
  func flipped() throws {
    let folder = try TraceFolder()
    let bytes = try goldenBytes()
    let blocks = blockRanges(in: bytes)
    let events = blocks.filter { $0.kind == 2 }.map(\.range)
    let all = try TraceReader(path: folder.write(bytes)).readableBlocks()
    for index in bytes.indices {
      var flipped = bytes
      flipped[index] ^= UInt8(truncatingIfNeeded: index &* 37) | 1
      let reader = try TraceReader(path: folder.write(flipped))
      let lost = events.firstIndex { $0.contains(index) }
      // The block is not listed any more, or it cannot be decoded.
      var columns = EventColumns()
      var sound: [Int] = []
      for block in reader.blocks.indices {
        let place = events.firstIndex { UInt64($0.lowerBound) == reader.blocks[block].offset }
        let number = try #require(place, "byte \(index)")
        if number != lost { sound.append(number) }
        guard number == lost || index % 64 == block else { continue }
        let isRead = (try? reader.decode(block, into: &columns, columns: .all)) != nil
        #expect(isRead == (number != lost), "byte \(index)")
        if isRead { #expect(columns == all[number], "byte \(index)") }
      }
      #expect(sound == events.indices.filter { $0 != lost }, "byte \(index)")
    }
  }
}
