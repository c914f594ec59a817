import Testing
import VarveExport

@Suite("Going through events by keys")
struct StepperTests {
  private func stepper() -> Stepper {
    Stepper(
      (0..<10).map {
        Stepper.Line(
          text: "\u{1b}[2mline\u{1b}[0m \($0)", time: Int64($0 * $0), isFailure: $0 % 4 == 3)
      })
  }

  private func after(_ keys: String) -> Stepper {
    keys.reduce(into: stepper()) { $0.press($1) }
  }

  @Test(
    "keys lead to lines",
    arguments: [
      ("", 0), ("...", 3), (".,", 0), (",", 0), ("e", 3), ("ee", 7), ("eee", 7), ("GE", 7),
      ("GEE", 3), ("G", 9), ("G.", 9), ("Gg", 0), ("x", 0),
    ])
  func keys(keys: String, line: Int) { #expect(after(keys).current == line) }

  @Test("what a key cannot do is told, until the next key")
  func notes() {
    #expect(after(",").note == "this is the first event")
    #expect(after(",.").note.isEmpty)
    #expect(after("G.").note == "this is the last event")
    #expect(after("Ge").note == "no failure after this")
    #expect(after("n").note == "nothing was searched for; / searches")
    #expect(after("q").isOver)
  }

  @Test("a search goes over colours, and on from where it is")
  func search() {
    var stepper = stepper()
    stepper.search("LINE 5")
    #expect(stepper.current == 5)
    stepper.press("n")
    #expect(stepper.current == 5 && stepper.note == "no \"LINE 5\" after this")
    stepper.press("G")
    stepper.press("N")
    #expect(stepper.current == 5)
    stepper.search("")
    #expect(stepper.wanted == "LINE 5")
  }

  @Test("playing goes on to the end and pauses there; a key stops it")
  func playing() {
    var stepper = stepper()
    stepper.tick()
    #expect(stepper.current == 0)
    stepper.press(" ")
    #expect(stepper.isPlaying && stepper.pause == 1)
    stepper.tick()
    #expect(stepper.current == 1 && stepper.pause == 3)
    stepper.press(",")
    #expect(!stepper.isPlaying)
    stepper.press(" ")
    for _ in 0..<20 { stepper.tick() }
    #expect(stepper.current == 9 && !stepper.isPlaying && stepper.pause == nil)
    stepper.press(" ")
    #expect(!stepper.isPlaying)
  }
}
