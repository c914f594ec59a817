import Testing
import VarveAnalysis
import VarveProbe

@Suite("The order of the flow")
struct StreamFlowTests {
  /// Streams by the streams that feed them; ids as listed.
  private func definitions(_ parents: [UInt32: [UInt32]]) -> [UInt32: StreamDefinition] {
    Dictionary(
      uniqueKeysWithValues: parents.map { id, parents in
        let stream = StreamDefinition(
          id: id, name: "s\(id)", derivation: "", operation: "", parents: parents, place: nil,
          valueType: "", born: 0)
        return (id, stream)
      })
  }

  private func lines(
    _ parents: [UInt32: [UInt32]], chosen: Set<UInt32>? = nil, feeds: [(UInt32, UInt32)] = []
  ) -> [String] {
    let flow = StreamFlow(
      of: chosen ?? Set(parents.keys), definitions: definitions(parents),
      feeds: Set(feeds.map { StreamEdge(from: $0.0, to: $0.1) }))
    return flow.nodes.map { String(repeating: "  ", count: $0.depth) + "\($0.stream)" }
  }

  @Test("a stream stands below the one that feeds it")
  func chain() {
    #expect(lines([3: [], 2: [3], 1: [2]]) == ["3", "  2", "    1"])
  }

  @Test("a stream with several inputs stands below the last of them")
  func junction() {
    #expect(lines([1: [], 2: [], 3: [1, 2], 4: [1]]) == ["1", "  4", "2", "  3"])
  }

  @Test("what lies between chosen streams is left out")
  func contracted() {
    let parents: [UInt32: [UInt32]] = [1: [], 2: [1], 3: [2], 4: [3], 5: [2]]
    #expect(lines(parents, chosen: [1, 4, 5]) == ["1", "  4", "  5"])
    #expect(lines(parents, chosen: [3, 4]) == ["3", "  4"])
  }

  @Test("an inner stream stands where it is flattened, before what it feeds")
  func inner() {
    // 1 → 2 = flatMap { 4.map = 5 }, and 3 has nothing to do with it.
    let parents: [UInt32: [UInt32]] = [1: [], 2: [1], 3: [], 4: [], 5: [4]]
    let feeds: [(UInt32, UInt32)] = [(1, 2), (5, 2), (4, 5)]
    #expect(lines(parents, feeds: feeds) == ["1", "  4", "    5", "  2", "3"])
    #expect(lines(parents, chosen: [1, 2, 5], feeds: feeds) == ["1", "  5", "  2"])
  }

  @Test("the inner streams of an inner stream stand before it")
  func nested() {
    // 1 → 2 = flatMap { 3 }, and 3 is made of a flatMap of 4, which is not among the chosen.
    let parents: [UInt32: [UInt32]] = [1: [], 2: [1], 3: [6], 4: [], 6: []]
    let feeds: [(UInt32, UInt32)] = [(3, 2), (4, 6)]
    #expect(lines(parents, chosen: [1, 2, 3, 4], feeds: feeds) == ["1", "  4", "  3", "  2"])
  }

  @Test("a property that was made first stands below what it was bound to")
  func bound() {
    // 1 is a property and 2 what is made of it; 4 is made of 3, and 1 <~ 4.
    let parents: [UInt32: [UInt32]] = [1: [], 2: [1], 3: [], 4: [3]]
    #expect(lines(parents, feeds: [(4, 1)]) == ["3", "  4", "    1", "      2"])
    #expect(lines(parents, chosen: [1, 2, 3], feeds: [(4, 1)]) == ["3", "  1", "    2"])
    // 1 <~ 3 as well: it stands below the last that feeds it.
    #expect(lines(parents, feeds: [(4, 1), (3, 1)]) == ["3", "  4", "    1", "      2"])
  }

  @Test("of properties that are bound to each other, the first stands above the others")
  func boundInCircle() {
    #expect(lines([1: [], 2: []], feeds: [(1, 2), (2, 1)]) == ["1", "  2"])
    // 1 <~ 2, made of 1 itself, and 1 <~ 3, which it does not feed.
    let parents: [UInt32: [UInt32]] = [1: [], 2: [1], 3: []]
    #expect(lines(parents, feeds: [(2, 1), (3, 1)]) == ["3", "  1", "    2"])
    #expect(lines(parents, feeds: [(2, 1)]) == ["3", "1", "  2"])
  }

  @Test("streams that feed each other are all there, once")
  func circle() {
    #expect(
      lines([1: [2], 2: [1], 3: [2]]).map { $0.filter { $0 != " " } }.sorted() == ["1", "2", "3"])
    #expect(lines([1: [1]]) == ["1"])
  }

  @Test("a chain of a hundred thousand overflows no stack")
  func deep() {
    let count: UInt32 = 100_000
    let parents = Dictionary(
      uniqueKeysWithValues: (1...count).map { ($0, $0 == 1 ? [] : [$0 - 1]) })
    let flow = StreamFlow(of: [1, count], definitions: definitions(parents))
    #expect(flow.nodes.map(\.stream) == [1, count])
    #expect(
      StreamFlow(of: Set(parents.keys), definitions: definitions(parents)).nodes.count == 100_000)
  }
}
