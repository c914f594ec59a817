import Testing
import VarveAnalysis
import VarveFormat
import VarveTraceScript

@testable import VarveExport

/// Who fed whom, for the order of the viewer's lanes.
@Suite("Search of feeds")
struct FeedSearchTests {
  private let folder = TemporaryFolder()

  @Test("every part finds its own, and all parts together what the history of the trace has")
  func parts() throws {
    var script = TraceScript()
    let streams = (0..<40).map { script.stream("s\($0)", line: UInt32($0 + 1)) }
    for turn in 0..<600 {
      let (from, to) = (streams[turn * 7 % 40], streams[turn * 11 % 40])
      _ = script.subscribe(from, to: turn % 5 == 0 ? 0 : to, at: Double(turn))
      script.value(from, "v", at: Double(turn) + 0.5)
    }
    let path = folder.file("feeds.varve")
    try script.write(to: path, blockEvents: 16)
    let reader = try TraceReader(path: path)
    let expected = try TraceHistory(reader).subscriptions.feeds.filter { $0.to != 0 }
    #expect(expected.count > 20)
    for parts in [1, 2, 5] {
      let search = FeedSearch(reader, parts: parts)
      for part in 0..<search.parts { search.run(part: part) }
      #expect(search.feeds == expected)
    }
  }
}
