import Testing
import VarveProbe

@testable import VarveAnalysis

/// What functions set that other code of their file sets on the main actor.
@Suite("Uses of what is the main actor's")
struct MainActorUsesTests {
  /// The line of such a use below line 2 of a function, in a file with other code.
  private func stray(_ body: String, _ rest: String, type: String = "struct Board {") throws
    -> UInt32?
  {
    let file = try SourceFile("\(type) func refresh() async {\n\(body)\n} }\n\(rest)\n")
    var uses = MainActorUses()
    return uses.stray(below: file.frame(2))?.place.line
  }

  @Test("G1: what is set below a wait is told, if it is set on the main actor elsewhere")
  func strays() throws {
    let body = "let all = await load()\nlabel.text = all"
    let on = "@MainActor func start() { board.label.text = none }"
    #expect(try stray(body, on) == 3)
    #expect(try stray(body, "@MainActor\nfunc start() {\nlabel.text = none\n}") == 3)
    #expect(
      try stray(body, "func f() async { await MainActor.run { self.label.text = none } }") == 3)
    #expect(try stray(body, "func f() { DispatchQueue.main.async { label.text = none } }") == 3)
    // Nobody says that it is the main actor's; or it is another thing; or it is set there after all.
    #expect(try stray(body, "func start() { label.text = none }") == nil)
    #expect(try stray(body, "@MainActor var a = 1\nfunc start() { label.text = none }") == nil)
    #expect(try stray(body, "@MainActor func start() { button.text = none }") == nil)
    #expect(
      try stray("let all = await load()\nawait MainActor.run { label.text = all }", on) == nil)
    #expect(try stray(body, on, type: "@MainActor struct Board {") == nil)
    #expect(
      try stray("let all = await load()\nself.text = all", "@MainActor func f() { self.text = 1 }")
        == nil)
  }
}
