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
    "format-1.1.varve": { try GoldenKinds().write(to: $0) },
    "format-1.3.varve": { try GoldenOrigins().write(to: $0) },
  ]

  private static func path(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Golden/\(name)").path
  }

  private static func path(_ version: TraceVersion) -> String { path("format-\(version).varve") }

  @Test("a golden file is made once", .enabled(if: isMaking))
  func make() throws {
    let name = try #require(Self.made)
    try Self.make(name, at: Self.path(name))
  }

  /// Why a golden file is not made.
  private enum Refusal: Error, Equatable {
    case unknown(String)
    case isThere(String)
  }

  private static func make(_ name: String, at path: String) throws {
    guard let write = goldens[name] else { throw Refusal.unknown(name) }
    guard !FileManager.default.fileExists(atPath: path) else { throw Refusal.isThere(path) }
    try write(path)
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
  }

  @Test("F1: a golden file that is there is never overwritten", arguments: goldens.keys.sorted())
  func refused(_ name: String) throws {
    let folder = try TraceFolder()
    let path = try folder.write([1, 2, 3], to: name)
    #expect(throws: Refusal.isThere(path)) { try Self.make(name, at: path) }
    #expect(try folder.read(name) == [1, 2, 3])
    // Where there is none the same call makes one: it is the file that it stopped at.
    try FileManager.default.removeItem(atPath: path)
    try Self.make(name, at: path)
    let made = try folder.read(name)
    #expect(made.count > 3)
    #expect(throws: Refusal.isThere(path)) { try Self.make(name, at: path) }
    #expect(try folder.read(name) == made)
    #expect(throws: Refusal.unknown("no golden")) { try Self.make("no golden", at: path) }
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

  /// The golden traces. A crash has left the second one, with a sidecar beside it.
  private static let traces = [
    "format-1.0.varve", "format-1.0-crash.varve", "format-1.1.varve", "format-1.3.varve",
  ]

  private func goldenBytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: Self.path(name))))
  }

  /// Lays a golden trace's sidecar, if it has one, beside the trace that the folder is to have.
  private func laySidecar(of name: String, in folder: TraceFolder) throws {
    guard Self.goldens[name + "-live"] != nil else { return }
    _ = try folder.write(goldenBytes(name + "-live"), to: "run.varve-live")
  }

  @Test(
    "F2: of a golden file, cut at any offset, the blocks that are whole are read",
    arguments: traces)
  func cut(_ name: String) throws {
    let folder = try TraceFolder()
    let bytes = try goldenBytes(name)
    try laySidecar(of: name, in: folder)
    let blocks = blockRanges(in: bytes)
    let first = try #require(blocks.first).range.lowerBound
    let all = try TraceReader(path: folder.write(bytes)).readableBlocks()
    // What lies in the sidecar is there however little is left of the file.
    let beside = Array(all[blocks.count { $0.kind == 2 }...])
    for length in bytes.indices {
      let path = try folder.write(Array(bytes[..<length]))
      guard let reader = try? TraceReader(path: path) else {
        #expect(length < first, "cut at \(length)")
        continue
      }
      let whole = blocks.count { $0.kind == 2 && $0.range.upperBound <= length }
      #expect(reader.blocks.count == whole + beside.count, "cut at \(length)")
      guard length % 16 == 0 else { continue }
      // The last one of the file: the others were that before.
      let last = max(0, whole - 1)
      let read = try (last..<reader.blocks.count).map { try reader.columns($0) }
      #expect(read == Array(all[last..<whole]) + beside, "cut at \(length)")
    }
  }

  @Test(
    "F3: of a golden file, with any byte flipped, only the block of that byte is lost",
    arguments: traces)
  func flipped(_ name: String) throws {
    let folder = try TraceFolder()
    let bytes = try goldenBytes(name)
    try laySidecar(of: name, in: folder)
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
        let offset = reader.blocks[block].offset
        // What lies in the sidecar comes last, and all of it is there.
        let place =
          offset == nil
          ? block + all.count - reader.blocks.count
          : events.firstIndex { UInt64($0.lowerBound) == offset }
        let number = try #require(place, "byte \(index)")
        if number != lost { sound.append(number) }
        guard number == lost || index % 64 == block else { continue }
        let isRead = (try? reader.decode(block, into: &columns, columns: .all)) != nil
        #expect(isRead == (number != lost), "byte \(index)")
        if isRead { #expect(columns == all[number], "byte \(index)") }
      }
      #expect(sound == all.indices.filter { $0 != lost }, "byte \(index)")
    }
  }
}

/// The golden sidecar, damaged, beside its golden trace, which is whole.
@Suite("Golden sidecars")
struct GoldenSidecarTests {
  private let folder: TraceFolder
  private let path: String
  private let sidecar: [UInt8]
  private let intact: TraceReader
  private let all: [EventColumns]
  /// How many blocks lie in the file.
  private let inFile: Int
  private let regions: [Range<Int>]

  init() throws {
    let golden = GoldenCrashTests.path
    folder = try TraceFolder()
    path = try folder.write([UInt8](try Data(contentsOf: URL(fileURLWithPath: golden))))
    sidecar = [UInt8](try Data(contentsOf: URL(fileURLWithPath: golden + "-live")))
    _ = try folder.write(sidecar, to: "run.varve-live")
    intact = try TraceReader(path: path)
    all = intact.readableBlocks()
    inFile = intact.blocks.count { $0.offset != nil }
    var regions: [Range<Int>] = []
    var start = Int(number(in: sidecar, at: 12, bytes: 4))
    while start < sidecar.count {
      let end = start + Int(number(in: sidecar, at: start + 24, bytes: 8))
      regions.append(start..<end)
      start = end
    }
    self.regions = regions
    // A log, and a ring for each block that is not in the file.
    try #require(regions.count == 1 + all.count - inFile)
  }

  /// Where the sidecar is damaged: wherever something was written, and at a sample of the rest. The
  /// rest is 125,000 zeros that nobody reads, where one place is like another, and each costs the
  /// reading of a trace. The sample's step is a prime, so that it meets fields at all their bytes.
  private var places: [Int] { sidecar.indices.filter { sidecar[$0] != 0 || $0 % 509 == 0 } }

  /// The sidecar, to be damaged in its place.
  private func open() throws -> FileHandle {
    try FileHandle(forUpdating: URL(fileURLWithPath: folder.path("run.varve-live")))
  }

  private func isTold(_ reader: TraceReader) -> Bool {
    !reader.damage.isEmpty || !reader.warnings.isEmpty
  }

  /// The blocks of the sidecar, all of which can be read, and once in a while those of the file.
  private func blocks(_ reader: TraceReader, at place: Int) throws -> [EventColumns] {
    #expect(
      reader.blocks.prefix(inFile).map(\.offset) == intact.blocks.prefix(inFile).map(\.offset),
      "byte \(place)")
    if place % 64 == 0 {
      #expect(
        try (0..<inFile).map { try reader.columns($0) } == Array(all[..<inFile]), "byte \(place)")
    }
    return try reader.blocks.indices.dropFirst(inFile).map { try reader.columns($0) }
  }

  @Test("F2: of a golden sidecar, cut at any offset, the regions that are whole are read")
  func cut() throws {
    let file = try open()
    // Ever shorter: a file that is written anew each time waits for the disk.
    for length in places.reversed() {
      try file.truncate(atOffset: UInt64(length))
      let reader = try TraceReader(path: path)
      let rings = regions.dropFirst().count { $0.upperBound <= length }
      let read = try blocks(reader, at: length)
      #expect(read == Array(all[inFile..<inFile + rings]), "cut at \(length)")
      // Less than a header is no sidecar.
      #expect(reader.lacksSidecar == (length < 1_032), "cut at \(length)")
      let isTorn = regions.contains { $0.lowerBound < length && length < $0.upperBound }
      if isTorn { #expect(!reader.damage.isEmpty, "cut at \(length)") }
    }
  }

  @Test("F2: of a golden sidecar, with any byte flipped, all events but that byte's were there")
  func flipped() throws {
    let known = Set(all.flatMap(\.lines))
    let anonymous = Set(known.map(withoutRing))
    let file = try open()
    func put(_ byte: UInt8, at index: Int) throws {
      try file.seek(toOffset: UInt64(index))
      try file.write(contentsOf: [byte])
    }
    for index in places {
      try put(sidecar[index] ^ (UInt8(truncatingIfNeeded: index &* 37) | 1), at: index)
      defer { #expect(throws: Never.self) { try put(sidecar[index], at: index) } }
      let reader: TraceReader
      do throws(TraceFileError) {
        reader = try TraceReader(path: path)
      } catch {
        #expect(error.code == .newerVersion && (8..<12).contains(index), "byte \(index)")
        #expect(error.message.contains("a later version"), "byte \(index)")
        continue
      }
      let read = try blocks(reader, at: index).filter { !all.contains($0) }
      let strange = read.flatMap(\.lines).filter { !known.contains($0) }
      let start = regions.last { $0.lowerBound <= index }?.lowerBound
      switch start.map({ index - $0 }) ?? -1 {
      // The ring's own number: nothing else says whose records they are.
      case 56..<60:
        #expect(strange.allSatisfy { anonymous.contains(withoutRing($0)) }, "byte \(index)")
      // A record bears no checksum: it may say something else, and no other does.
      case 16_384...: #expect(strange.count <= 1, "byte \(index)")
      // A region of a kind that is not known is passed over: it may be a later version's.
      case 32..<36:
        #expect(strange == [], "byte \(index)")
        continue
      default: #expect(strange == [], "byte \(index)")
      }
      #expect(reader.events == intact.events || isTold(reader), "byte \(index)")
    }
  }

  /// An event's line without the number of the ring, which it begins with.
  private func withoutRing(_ line: String) -> Substring { line.drop { $0 != "/" } }
}
