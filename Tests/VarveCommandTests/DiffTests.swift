import Testing
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("varve diff of traces that are much larger than their files")
struct DiffTests {
  private let folder = TemporaryFolder()

  private func trace(
    _ name: String, events: UInt64, _ record: (UInt64) -> FloodedTrace.Record
  ) throws -> String {
    let path = folder.file(name)
    try FloodedTrace.write(to: path, events: events, record)
    return path
  }

  @Test("F2: a late difference is shown with its events, and nothing is warned of")
  func late() throws {
    let paths = try [1, 2].map { word in
      try trace("\(word).varve", events: 200_000) {
        FloodedTrace.Record(.value, of: 1, .integer, $0 == 199_000 ? word : 0)
      }
    }
    let differs = try CommandRun(["diff"] + paths)
    #expect(differs.status == 1 && differs.errors.isEmpty, "\(differs.errors)")
    #expect(
      differs.output.hasPrefix("they part first at event 199,000 of stream 1\n  - #1.199000 "))
    #expect(differs.output.contains("\n  + #1.199000 "))
    let same = try CommandRun(["diff", paths[0], paths[0]])
    #expect(same.status == 0 && same.errors.isEmpty, "\(same.errors)")
    #expect(same.output == "the same: 1 stream\n")
  }

  @Test("G5: a choice that has no event in either trace is not the same in both")
  func nothing() throws {
    let path = try trace("a.varve", events: 100) { _ in FloodedTrace.Record(.value, of: 1) }
    for flags in [["-n", "nosuch"], ["-k", "mark"], ["--since", "+1h"]] {
      let run = try CommandRun(["diff", path, path] + flags)
      #expect(run.status == 1 && run.output.isEmpty && !run.errors.isEmpty, "\(flags)")
    }
    #expect(try CommandRun(["diff", path, path, "-k", "value"]).status == 0)
  }

  @Test("F2: no difference in what was compared ends with 4 where not all was, as the manual says")
  func partly() throws {
    let path = try trace("many.varve", events: 81_920) {
      FloodedTrace.Record(.value, of: UInt32($0))
    }
    let partly = try CommandRun(["diff", path, path])
    #expect(partly.status == 4)
    #expect(partly.output == "the same as far as compared: 65,536 streams\n")
    #expect(partly.errors.contains("events of streams that the trace does not define passed over"))
    let one = try trace("one.varve", events: 16_384) { _ in FloodedTrace.Record(.value, of: 1) }
    #expect(try CommandRun(["diff", path, one]).status == 1)
    let manual = try CommandRun(["manual"]).output
    #expect(manual.contains("\\fBdiff\\fR found no difference, and could not compare everything."))
    #expect(try CommandRun(["diff", "--help"]).output.contains("65,536"))
  }
}
