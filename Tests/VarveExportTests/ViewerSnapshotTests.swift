import Testing
import VarveAnalysis
import VarveFormat
import VarveTraceScript

@testable import VarveExport

@Suite("A recording that the viewer sees grow")
struct ViewerSnapshotTests {
  private let folder = TemporaryFolder()

  private func reader(_ script: TraceScript, _ name: String) throws -> TraceReader {
    let path = folder.file(name)
    try script.write(to: path, ending: nil)
    return try TraceReader(path: path)
  }

  @Test("time begins with the first event, also of one that had none when it was opened")
  func first() throws {
    var script = TraceScript()
    let stream = script.stream("s", line: 1)
    let empty = ViewerSnapshot(try reader(script, "empty.varve"))
    script.value(stream, "late", at: 5_000)
    let late = try reader(script, "late.varve")
    let begun = ViewerSnapshot(late, after: empty)
    #expect(empty.first == 0)
    #expect(begun.first == TraceSpan(of: late).ticks?.lowerBound && begun.first > 0)

    // What a flight recorder has dropped meanwhile leaves the beginning where it was.
    var rest = TraceScript()
    rest.value(rest.stream("s", line: 1), "later", at: 9_000)
    #expect(ViewerSnapshot(try reader(rest, "rest.varve"), after: begun).first == begun.first)
  }
}
