import Foundation
import Testing
import VarveFormat
import VarveProbe

/// Damage that the checksums agree with: what is left when a checksum stops nothing. Nothing is
/// expected of the outcome but that there is one.
@Suite("Files with right checksums and wrong bytes")
struct MutationTests {
  private let folder: TraceFolder
  private let bytes: [UInt8]

  init() throws {
    folder = try TraceFolder()
    bytes = try SampleTrace(in: folder).bytes
  }

  /// Reads all there is to read. Returns how many blocks were decoded.
  @discardableResult
  private func readAll(_ bytes: [UInt8]) throws -> Int {
    let path = try folder.write(bytes)
    let reader: TraceReader
    do {
      reader = try TraceReader(path: path)
    } catch {
      return 0
    }
    let decoded = reader.readableBlocks().count
    var converter = TickConverter(reader.time)
    for block in reader.blocks {
      #expect(block.count <= TraceLimits.eventsInBlock)
      _ = converter.nanoseconds(sinceStart: block.ticks.lowerBound)
      _ = reader.block(of: block.name(0))
    }
    _ = try reader.verify()
    return decoded
  }

  /// Makes the checksums of a block right again.
  private func reseal(_ file: inout [UInt8], _ block: Range<Int>, kind: UInt8) {
    let id = TraceHeader.sample().id
    let seed = kind == 1 ? 0 : crc(little(id.low) + little(id.high))
    let header = Int(number(in: file, at: block.lowerBound + 6, bytes: 2))
    guard header >= 24, block.lowerBound + header <= block.upperBound else { return }
    let payload = Array(file[block.lowerBound + header..<block.upperBound])
    let place = block.lowerBound + 16
    file.replaceSubrange(place..<place + 4, with: little(crc(payload, from: seed)))
    let end = block.lowerBound + header - 4
    let sum = crc(Array(file[block.lowerBound..<end]), from: seed)
    file.replaceSubrange(end..<end + 4, with: little(sum))
  }

  @Test("F2: any one byte of any block may be anything, with right checksums")
  func oneByte() throws {
    var random = Seeded(11)
    for (kind, range) in blockRanges(in: bytes) {
      for index in range {
        for value in [0, 255, bytes[index] ^ 1, UInt8(truncatingIfNeeded: random.next())] {
          var mutated = bytes
          mutated[index] = value
          reseal(&mutated, range, kind: kind)
          try readAll(mutated)
        }
      }
    }
  }

  @Test("F2: many bytes of many blocks may be anything, with right checksums")
  func manyBytes() throws {
    var random = Seeded(12)
    var decoded = 0
    for _ in 0..<3_000 {
      var mutated = bytes
      for (kind, range) in blockRanges(in: bytes) where random.next() % 3 == 0 {
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let index = Int.random(in: range, using: &random)
          mutated[index] = UInt8(truncatingIfNeeded: random.next() >> (random.next() % 8))
        }
        reseal(&mutated, range, kind: kind)
      }
      decoded += try readAll(mutated)
    }
    #expect(decoded > 1_000)
  }

  @Test("F2: a sidecar may hold anything")
  func sidecar() throws {
    var records = RecordBytes(firstSequence: 13)
    for tick in 0..<20 as Range<UInt64> {
      records.add(ticks: tick, payload: .string("text"), far: [tick])
    }
    var sound = SidecarBytes()
    sound.add(records, ring: 1, name: "thread")
    sound.add(DefinitionTests.all)
    let sidecar = sound.bytes
    let starts = [0, 32_768, 49_152, 114_688, 131_072]
    var random = Seeded(13)
    for _ in 0..<2_000 {
      var mutated = sidecar
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = starts.randomElement(using: &random)! + Int.random(in: 0..<400, using: &random)
        let width = [1, 4, 8].randomElement(using: &random)!
        let word = random.next() % 3 == 0 ? .max : random.next() >> (random.next() % 64)
        mutated.replaceSubrange(index..<index + width, with: little(word).prefix(width))
      }
      _ = try folder.write(mutated, to: "run.varve-live")
      try readAll(bytes)
    }
  }

  #if os(Linux)
    @Test("F2: a length that lies makes room for nothing")
    func memory() throws {
      let start = blockRanges(in: bytes)[0].range.lowerBound
      let before = try peak()
      for kind in 0...8 as ClosedRange<UInt8> {
        for codec in 0...3 as ClosedRange<UInt8> {
          let lie = CraftedBlock(
            kind: kind, codec: codec, fields: [UInt8](repeating: 0x7f, count: 60), payload: [1, 2],
            rawBytes: .max, storedBytes: .max)
          try readAll(bytes[..<start] + lie.bytes() + bytes[start...])
        }
      }
      #expect(try peak() - before < 1 << 30)
    }

    /// The most bytes of addresses that this process has had.
    private func peak() throws -> Int {
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmPeak:") })
      return try #require(Int(line.filter(\.isNumber))) << 10
    }
  #endif
}
