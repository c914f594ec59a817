import Testing
import VarveFormat
import VarveProbe

/// Planes of every kind, each as the lowest byte of the words of one block.
@Suite("Planes")
struct PlaneTests {
  private let folder: TraceFolder

  init() throws { folder = try TraceFolder() }

  /// Writes words of which the differences have these lowest bytes, and returns the block's size.
  private func size(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) throws
    -> Int
  {
    var records = RecordBytes()
    for (index, byte) in bytes.enumerated() {
      records.add(ticks: UInt64(index), payload: .word(.unsigned, UInt64(byte)))
    }
    let writer = try TraceWriter(creating: folder.path(), header: .sample())
    try writer.append(records)
    let reader = try TraceReader(path: folder.path())
    let words = try reader.blocks.indices.flatMap { try reader.columns($0, .payloads).words }
    #expect(words == bytes.map(UInt64.init), sourceLocation: sourceLocation)
    return reader.blocks.reduce(0) { $0 + Int($1.storedBytes) }
  }

  /// `count` bytes, of which `values` are as frequent as `weights` say.
  private func plane(_ count: Int, _ values: [UInt8], _ weights: [Int], _ seed: UInt64) -> [UInt8] {
    var random = Seeded(seed)
    let bag = zip(values, weights).flatMap { Array(repeating: $0, count: $1) }
    return (0..<count).map { _ in bag.randomElement(using: &random)! }
  }

  @Test("planes of all lengths and all mixtures of values come back")
  func everything() throws {
    var random = Seeded(1)
    for count in [1, 2, 3, 15, 16, 17, 47, 48, 49, 255, 256, 1_023, 1_024, 1_025, 1_029, 5_000] {
      for distinct in [1, 2, 3, 4, 7, 15, 16, 17, 40, 256] {
        let values = (0..<distinct).map { UInt8(truncatingIfNeeded: $0 * 97) }
        let weights = (0..<distinct).map { max(1, 600 >> $0) }
        _ = try size(plane(count, values, weights, random.next()))
        _ = try size(plane(count, values, weights.map { _ in 1 }, random.next()))
      }
    }
  }

  @Test("few values in no order take hardly more than their entropy")
  func fewValues() throws {
    // 0.60, 0.36 and 0.02 twice: 1.2 bits.
    let regular = try size(plane(16_384, [32, 34, 36, 30], [60, 36, 2, 2], 2))
    #expect(regular < 16_384 * 120 / 100 / 8 + 300)
    // A few bytes in a thousand are anything at all.
    var disturbed = plane(16_384, [32, 34, 36], [60, 36, 4], 3)
    for index in stride(from: 7, to: 16_384, by: 250) { disturbed[index] = UInt8(index & 255) }
    #expect(try size(disturbed) < 16_384 * 125 / 100 / 8 + 500)
  }

  @Test("noise takes its own size and no more")
  func noise() throws {
    var random = Seeded(4)
    let noise = (0..<16_384).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    #expect(try size(noise) < 16_384 + 250)
  }

  @Test("what repeats itself takes next to nothing")
  func repetition() throws {
    let long = (0..<16_384).map { UInt8(truncatingIfNeeded: $0 % 53 * 7) }
    #expect(try size(long) < 500)
    let runs = (0..<16_384).map { UInt8(truncatingIfNeeded: $0 / 700 * 31) }
    #expect(try size(runs) < 400)
    #expect(try size([UInt8](repeating: 200, count: 16_384)) < 150)
  }
}
