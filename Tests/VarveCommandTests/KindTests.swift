import Foundation
import Testing
import VarveTraceScript

/// What the command says of traces that do not tell what kinds of streams they have.
@Suite("Kinds of streams, at the command", .serialized)
struct KindTests {
  private let folder = TemporaryFolder()

  private func trace(tellsKinds: Bool) throws -> String {
    var script = TraceScript()
    script.tellsKinds = tellsKinds
    let (loud, silent) = (script.stream("loud"), script.stream("silent"))
    let both = script.stream("both", "combineLatest(_:_:)", from: [loud, silent])
    for stream in [loud, silent] { _ = script.subscribe(stream, to: both, at: 0) }
    _ = script.subscribe(both, at: 0)
    script.value(loud, "one", at: 1)
    let path = folder.file(tellsKinds ? "new.varve" : "old.varve")
    try script.write(to: path)
    return path
  }

  private let sentence = "this trace is of an older version, which does not say what kind"

  @Test("T11: why-silent says where it is the older version of the trace that hides the reason")
  func silent() throws {
    let new = try CommandRun(["why-silent", try trace(tellsKinds: true), "both"])
    #expect(new.output.contains("2nd input") && !new.output.contains(sentence))
    let old = try CommandRun(["why-silent", try trace(tellsKinds: false), "both"])
    #expect(old.status == 0)
    #expect(
      old.output == """
        both delivered nothing, and the trace does not say why: it got 1 value and is of a kind that is not known.

        ▸ both  both got 1 value and is of a kind that is not known

          both  got 1 value and is of an unknown kind

        \(sentence) of stream both is

        """)
    let json = try CommandRun(
      ["why-silent", try trace(tellsKinds: false), "both", "--format", "ndjson"])
    #expect(json.output.contains("\"reason\":\"unknown_kind\""))
    #expect(json.output.contains("\"kind_known\":false"))
  }

  @Test("T11: a postmortem says what an older version's trace could not be looked through for")
  func postmortem() throws {
    for tellsKinds in [true, false] {
      let path = try trace(tellsKinds: tellsKinds)
      let page = try CommandRun(["postmortem", path]).output
      #expect(page.contains(sentence) != tellsKinds)
      let first = try #require(
        try CommandRun(["postmortem", path, "--format", "ndjson"]).output
          .split(separator: "\n").first)
      #expect(first.contains("\"kinds_known\":\(tellsKinds)"))
    }
  }
}
