import Foundation
import Testing
import VarveProbe
import VarveTraceScript

@testable import VarveAnalysis

/// Who catches an error, by the source of the code that it passed through.
@Suite("Where errors are caught")
struct CatchSitesTests {
  private let folder = TemporaryFolder()

  /// Who catches an error of the type `Lost` in code whose lines passed it on, the innermost first.
  private func site(_ code: String, _ lines: [UInt32]) throws -> CatchSites.Site? {
    let path = folder.file("Code.swift")
    try code.write(toFile: path, atomically: true, encoding: .utf8)
    var finder = CatchSites()
    return finder.site(
      of: "Lost",
      in: lines.map {
        NamedFrame(
          frame: StackFrame(address: UInt64($0)), function: "f\($0)()", file: path, line: $0,
          module: nil, isInlined: false, isMachinery: false)
      })
  }

  private func expect(
    _ code: String, _ lines: [UInt32], at line: UInt32?, ignored: Bool = true,
    location: SourceLocation = #_sourceLocation
  ) throws {
    let found = try site(code, lines)
    #expect(found?.place.line == line, sourceLocation: location)
    if let found { #expect(found.isIgnored == ignored, sourceLocation: location) }
  }

  @Test("G1: `try?` ends an error, on its own line or that before what it calls")
  func optional() throws {
    try expect("throw Lost()\nlet a = try? load()", [1, 2], at: 2)
    try expect("throw Lost()\nlet a = try? load\n  .now()", [1, 3], at: 2)
    try expect("throw Lost()\nlet a = try? load(\n  1,\n  b())", [1, 4], at: 2)
    try expect("throw Lost()\nlet a = try load()  // try?\n", [1, 2], at: nil)
    try expect("throw Lost()\nlet a = \"try? \" + (try load())", [1, 2], at: nil)
    // Both are on one line: the closure passes it on, and what it is given to ends it.
    try expect("throw Lost()\nlet a = try? gate { try load() }", [1, 2, 2], at: 2)
    try expect("throw Lost()\nlet a = try? gate { try load() }", [1, 2], at: nil)
  }

  @Test("G1: a catch clause ends an error that is thrown, or passed on, in its block")
  func clauses() throws {
    try expect("do {\n  throw Lost()\n} catch {\n}", [2], at: 3)
    try expect("do {\n  if a {\n    try load()\n  }\n} catch {\n  return\n}", [3], at: 5)
    try expect("do {\n  try load()\n}\ncatch {\n  show(error)\n}", [2], at: 4, ignored: false)
    try expect("do { try load() } catch {}", [1], at: 1)
    try expect("do {\n  try load()\n} catch let all {\n  continue\n}", [2], at: 3)
    // The closure is not within the block when it runs.
    try expect("do {\n  run {\n    try load()\n  }\n} catch {\n}", [3], at: nil)
    try expect("do {\n  run {\n    try load()\n  }\n} catch {\n}", [3, 2], at: 5)
    try expect("func a() {\n  try load()\n}\ndo {\n} catch {\n}", [2], at: nil)
  }

  @Test("G1: a clause for another type, or that throws again, passes an error on")
  func passing() throws {
    try expect("do {\n  try load()\n} catch is Other {\n}", [2], at: nil)
    try expect("do {\n  try load()\n} catch is Other {\n} catch is Lost {\n}", [2], at: 4)
    try expect("do {\n  try load()\n} catch {\n  throw Other()\n}", [2], at: nil)
    try expect("do {\n  try load()\n} catch {\n  throw Other()\n}\ntry? a()", [2, 6], at: 6)
  }

  @Test("G1: without the source nobody is said to catch an error")
  func missing() throws {
    try expect("throw Lost()", [1, 7], at: nil)
    var finder = CatchSites()
    let frame = NamedFrame(
      frame: StackFrame(address: 1), function: "f()", file: "/nowhere/Code.swift", line: 1,
      module: nil, isInlined: false, isMachinery: false)
    #expect(finder.site(of: "Lost", in: [frame]) == nil)
    #expect(finder.site(of: "Lost", in: []) == nil)
  }

  @Test("G1: a catch clause that goes on with its loop at once has the line that does")
  func retries() throws {
    func retry(_ head: String, _ body: String) throws -> UInt32? {
      try site("\(head) {\ndo {\ntry load()\n} catch {\n\(body)\n}\n}", [3])?.retry?.line
    }
    #expect(try retry("while !isOn", "state = 1\ncontinue") == 6)
    #expect(try retry("while !isOn", "continue") == 5)
    #expect(try retry("while !isOn", "await sleep()\ncontinue") == nil)
    #expect(try retry("while !isOn", "if isOld { continue }") == nil)
    #expect(try retry("while !isOn", "state = 1") == nil)
    // It goes on to the next one.
    #expect(try retry("for one in all", "state = 1\ncontinue") == nil)
  }

  @Test("G1: an error that leaves a loop on its way to a catch clause has the line in the loop")
  func loops() throws {
    let code = "do {\n  for a in b {\n    try load()\n  }\n} catch {\n  show(error)\n}"
    let found = try site(code, [3])
    #expect(found?.place.line == 5 && found?.leftLoop?.line == 3)
    let within = "for a in b {\n  do {\n    try load()\n  } catch {\n    show(error)\n  }\n}"
    let caught = try site(within, [3])
    #expect(caught?.place.line == 4 && caught?.leftLoop == nil)
  }
}
