import Foundation
import Testing
import VarveFormat
import VarveMarbles
import VarveProbe
import VarveTraceScript

/// What lines say that have no room for whole names.
@Suite("Names on narrow terminals")
struct NarrowNamesTests {
  private let folder = TemporaryFolder()

  /// Returns what a command writes to a terminal.
  private func shown(_ arguments: [String], columns: UInt16 = 80) throws -> String {
    let run = try TerminalRun(
      arguments, rows: 2_000, columns: columns,
      environment: ["NO_COLOR": "1", "PAGER": "", "VARVE_CONFIG": ""], folder: folder.file(""))
    _ = run.end()
    return run.output.replacing("\r\n", with: "\n")
  }

  private func write(_ script: TraceScript) throws {
    try script.write(to: folder.file("shop.varve"))
  }

  @Test("a name that is its place is not said twice, and what happened is not cut")
  func placeOnce() throws {
    var script = TraceScript()
    let name = "property@Shop.swift:1014"
    let property = script.stream(name, "property", line: 1_014)
    let shown = script.stream("shown", "map(_:)", from: [property], line: 20)
    let edge = script.subscribe(property, to: shown, at: 0.5)
    script.value(property, "the teas of the east", at: 100)
    script.value(shown, "all of them", at: 101, back: 1)
    script.record(.sent, of: property, at: 102)
    script.end(edge, of: property, .completed, at: 103)
    try write(script)
    let lines = try self.shown(["postmortem", "shop.varve"])
    #expect(
      lines.contains("  Shop.swift:1014  property was sent by the program's code\n"), "\(lines)")
    let narrow = try self.shown(["postmortem", "shop.varve"], columns: 60)
    #expect(narrow.contains("  Shop.swift:1014  property ended: completed\n"), "\(narrow)")
    #expect(!narrow.contains("Shop.swift:1014  property@"), "\(narrow)")
    let why = try self.shown(["why", "shop.varve", "shown"], columns: 60)
    #expect(why.contains("Shop.swift:1014  property \"the teas of"), "\(why)")
  }
}
