import Foundation
import Testing
import VarveFormat
import VarveProbe

/// What kinds streams are of, in files of today and of before.
@Suite("Kinds of streams in files")
struct GoldenKindsTests {
  private static func path(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Golden/\(name)").path
  }

  private func expectGolden(_ path: String) throws {
    let golden = GoldenKinds()
    let reader = try TraceReader(path: path)
    #expect(reader.header.version.major == 1 && reader.header.version.minor >= 1)
    #expect(reader.warnings == [] && reader.damage.isEmpty)
    #expect(try reader.verify() == [])
    var definitions = TraceDefinitions()
    for definition in golden.definitions { definitions.insert(definition) }
    #expect(reader.definitions.streams == definitions.streams)
    #expect(reader.readableBlocks() == [try golden.records.columns(ring: 1)])
    for (bit, traits) in GoldenKinds.bits.enumerated() {
      #expect(reader.definitions.streams[100 + UInt32(bit)]?.traits?.rawValue == 1 << UInt32(bit))
      #expect(traits.rawValue == 1 << UInt32(bit))
    }
  }

  @Test("F1: the file that the first version with kinds wrote says today what it said then")
  func golden() throws { try expectGolden(Self.path("format-1.1.varve")) }

  @Test("F1, T11: what is written today says the same of what kinds streams are of")
  func today() throws {
    let folder = try TraceFolder()
    try GoldenKinds().write(to: folder.path())
    try expectGolden(folder.path())
  }

  @Test("F1, T11: of a stream in a file of before nobody knows the kind, which is none of no kind")
  func before() throws {
    let old = try TraceReader(path: Self.path("format-1.0.varve"))
    #expect(!old.definitions.streams.isEmpty)
    #expect(old.definitions.streams.values.allSatisfy { $0.traits == nil })
    let new = try TraceReader(path: Self.path("format-1.1.varve"))
    #expect(new.definitions.streams[1]?.traits == [])
    #expect(new.definitions.streams[2].map { $0.traits == nil } == true)
  }

  /// A definition's bytes, without its length, its checksum and the zeros at its end.
  private func bytes(_ stream: StreamDefinition) -> [UInt8] {
    var bytes: [UInt8] = []
    DefinitionCodec.append(.stream(stream), to: &bytes)
    return Array(bytes[8...].reversed().drop { $0 == 0 }.reversed())
  }

  @Test("F1: a reader of before finds all that it knows of a stream where it always was")
  func passedOver() throws {
    for definition in GoldenKinds().definitions {
      guard case .stream(var stream) = definition else { continue }
      let new = bytes(stream)
      stream.traits = nil
      var old = bytes(stream)
      // A flag that it does not look at, and bytes behind those that it reads.
      old[1] = new[1]
      #expect(new.starts(with: old))
    }
  }

  @Test("F1: what a later version writes behind the traits is passed over, and they are kept")
  func grown() throws {
    var later = DefinitionTests.stream
    later.traits = StreamTraits(rawValue: 0xf000_0001)
    let known = bytes(later)
    var body = known + [1, 2, 3]
    // All flags, of which the first four have a meaning; a stack was not flagged before.
    #expect(body[1] == 0b1011)
    body[1] |= 0b1111_0000
    body += [UInt8](repeating: 0, count: -(body.count + 8) & 7)
    let whole = little(UInt32(body.count + 8)) + little(crc(body)) + body
    var found: [TraceDefinition] = []
    let extent = whole.withUnsafeBytes { DefinitionLog.read($0) { found.append($0) } }
    #expect(found == [.stream(later)])
    #expect(extent.damaged == 0 && extent.unknown == 0)
  }

  @Test("T11: kinds that lie in a sidecar's log alone are read, and go into the repaired file")
  func sidecar() throws {
    let folder = try TraceFolder()
    let golden = GoldenKinds()
    let writer = try TraceWriter(creating: folder.path(), header: golden.header)
    try writer.append(golden.records)
    var sidecar = SidecarBytes()
    sidecar.add(golden.definitions)
    _ = try folder.write(sidecar.bytes, to: "run.varve-live")
    let reader = try TraceReader(path: folder.path())
    #expect(reader.definitions.streams[116]?.traits == .hasEffects)
    try TraceRepair.write(reader, to: folder.path("repaired.varve"))
    let repaired = try TraceReader(path: folder.path("repaired.varve"))
    #expect(repaired.definitions.streams == reader.definitions.streams)
    #expect(repaired.definitions.streams.count == golden.definitions.count)
  }

  @Test("T11: merged and scrubbed traces say of each stream what the old ones said")
  func rewritten() throws {
    let folder = try TraceFolder()
    try GoldenKinds().write(to: folder.path("new.varve"))
    let readers = try [folder.path("new.varve"), Self.path("format-1.0.varve")].map {
      try TraceReader(path: $0)
    }
    try TraceMerge.write(readers, to: folder.path("merged.varve"))
    let merged = try TraceReader(path: folder.path("merged.varve"))
    #expect(merged.header.version == .current)
    func kinds(_ readers: [TraceReader]) -> [StreamTraits?: Int] {
      let all = readers.flatMap(\.definitions.streams.values).map(\.traits)
      return Dictionary(grouping: all) { $0 }.mapValues(\.count)
    }
    #expect(kinds([merged]) == kinds(readers))
    try TraceScrub.write(readers[0], to: folder.path("scrubbed.varve"))
    let scrubbed = try TraceReader(path: folder.path("scrubbed.varve"))
    #expect(scrubbed.definitions.streams == readers[0].definitions.streams)
  }
}
