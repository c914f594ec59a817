import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

/// Small files of more deliveries than a comparison remembers.
@Suite("Comparisons of long traces")
struct LongTraceComparisonTests {
  private typealias Record = FloodedTrace.Record
  private let folder = TemporaryFolder()

  private func trace(
    _ name: String, events: UInt64, _ record: (UInt64) -> FloodedTrace.Record
  ) throws -> TraceReader {
    try FloodedTrace.write(to: folder.file(name), events: events, record)
    return try TraceReader(path: folder.file(name))
  }

  private func event(_ sequence: UInt64) -> EventName { EventName(ring: 1, sequence: sequence) }

  private func comparison(_ left: TraceReader, _ right: TraceReader) throws -> TraceComparison {
    try TraceComparison(left, Selection(), right, Selection())
  }

  @Test("F2: of long traces the one difference is found, late, and equal ones are the same")
  func late() throws {
    let left = try trace("left", events: 1_200_000) {
      Record(.value, of: 1, .integer, $0 == 1_100_000 ? 1 : 0)
    }
    let right = try trace("right", events: 1_200_000) {
      $0 <= 3 ? Record(.value, of: 2) : Record(.value, of: 1, .integer, $0 == 1_100_003 ? 2 : 0)
    }
    let comparison = try comparison(left, right)
    #expect(comparison.isWhole && !comparison.isSame && comparison.same == 0)
    #expect(comparison.onlyLeft.isEmpty && comparison.onlyRight == ["stream 2"])
    let divergence = try #require(comparison.divergences.first)
    #expect(comparison.divergences.count == 1)
    #expect(divergence.name == "stream 1" && divergence.ordinal == 1_100_000)
    #expect(divergence.left == "1.1100000" && divergence.right == "1.1100003")
    #expect(UInt64(divergence.leftCount) == left.events)
    #expect(UInt64(divergence.rightCount) == right.events - 3)
    let same = try self.comparison(left, left)
    #expect(same.isSame && same.isWhole && same.same == 1)
  }

  @Test("F2: of two of which one is the beginning of the other, the longer goes on alone")
  func beginning() throws {
    // The shorter ends at a power of two, and between two of them.
    for count in [131_072, 163_840] as [UInt64] {
      let short = try trace("short", events: count) { Record(.value, of: 1, .integer, $0) }
      let long = try trace("long", events: 300_000) { Record(.value, of: 1, .integer, $0) }
      for (left, right) in [(short, long), (long, short)] {
        let divergence = try #require(comparison(left, right).divergences.first)
        #expect(divergence.ordinal == Int(count) + 1)
        #expect(divergence.left == (left.events > count ? event(count + 1) : nil))
        #expect(divergence.right == (right.events > count ? event(count + 1) : nil))
      }
    }
  }

  @Test("F2: thousands of streams that differ are searched together, each to its own place")
  func many() throws {
    let (streams, events): (UInt64, UInt64) = (2_000, 200_000)
    func ordinal(of stream: UInt64) -> UInt64 { stream * 7_919 % (events / streams) + 1 }
    func stream(_ number: UInt64) -> UInt64 { (number - 1) % streams + 1 }
    let left = try trace("left", events: events) { Record(.value, of: UInt32(stream($0))) }
    let right = try trace("right", events: events) { number in
      let differs = (number - 1) / streams + 1 == ordinal(of: stream(number))
      return Record(.value, of: UInt32(stream(number)), .integer, differs ? 1 : 0)
    }
    // Four marks a stream: they take several rounds.
    let comparison = try TraceComparison(
      left, Selection(), right, Selection(), mostMarks: 8_000)
    #expect(comparison.isWhole && comparison.same == 0)
    let names = (1...streams).map { (ordinal(of: $0) - 1) * streams + $0 }.sorted().map(event)
    #expect(comparison.divergences.map(\.left) == names)
    #expect(comparison.divergences.map(\.right) == names)
    #expect(
      comparison.divergences.allSatisfy { divergence in
        UInt64(divergence.name.dropFirst(7)).map { ordinal(of: $0) } == UInt64(divergence.ordinal)
      })
  }
}
