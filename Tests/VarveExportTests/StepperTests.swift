import Testing
import VarveExport
import VarveFormat

@Suite("Going through events by keys")
struct StepperTests {
  private static let lines: [Stepper.Line] = (0..<10).map { (number: Int) -> Stepper.Line in
    let event = EventName(ring: 1, sequence: UInt64(number))
    return Stepper.Line(
      text: "\u{1b}[2mline\u{1b}[0m \(number)", event: event, tick: UInt64(number / 2),
      time: Int64(number * number), isFailure: number % 4 == 3)
  }

  private func stepper(_ most: Int) throws -> Stepper {
    try #require(try Stepper(GatheredSteps(Self.lines, most: most)))
  }

  private func after(_ keys: String, _ most: Int) throws -> Stepper {
    try keys.reduce(into: stepper(most)) { try $0.press($1) }
  }

  @Test(
    "keys lead to lines",
    arguments: [
      ("", 0), ("...", 3), (".,", 0), (",", 0), ("e", 3), ("ee", 7), ("eee", 7), ("GE", 7),
      ("GEE", 3), ("G", 9), ("G.", 9), ("Gg", 0), ("x", 0),
    ])
  func keys(keys: String, line: Int) throws {
    // In pieces, as all at once.
    for most in [1, 3, 4, 100] {
      let stepper = try after(keys, most)
      #expect(stepper.current.event.sequence == line, "\(most)")
      #expect(stepper.number ?? line + 1 == line + 1)
      #expect(stepper.count == 10)
    }
  }

  @Test("a number is known all along a way of single steps, and unknown behind a search")
  func numbers() throws {
    #expect(try after("......,", 3).number == 6)
    #expect(try after("G,", 3).number == 9)
    #expect(try after("ee", 1).number == nil)
    #expect(try after("eeg", 1).number == 1)
  }

  @Test("the lines above the current one are there, out of the piece before, too")
  func above() throws {
    var stepper = try after("....", 3)
    #expect(try stepper.lines(most: 3).map(\.event.sequence) == [2, 3, 4])
    #expect(try stepper.lines(most: 1).map(\.event.sequence) == [4])
    var first = try after("", 3)
    #expect(try first.lines(most: 5).map(\.event.sequence) == [0])
  }

  @Test("a search that the user stops stays where it is, and says so")
  func stopped() throws {
    struct Endless: StepSource {
      let steps = GatheredSteps(StepperTests.lines, most: 2)
      var count: Int? { nil }
      func piece(from tick: UInt64) -> StepPiece? { steps.piece(from: tick) }
      func piece(upTo tick: UInt64) -> StepPiece? { steps.piece(upTo: tick) }
      func tick(ofFirst: Sought, from: UInt64) throws -> UInt64? { throw Stepper.SearchStopped() }
      func tick(ofLast: Sought, upTo: UInt64) throws -> UInt64? { throw Stepper.SearchStopped() }
    }
    var stepper = try #require(try Stepper(Endless()))
    try stepper.search("line 9")
    #expect(stepper.number == 1 && stepper.note == "the search was stopped")
    #expect(stepper.count == nil)
  }

  @Test("what a key cannot do is told, until the next key")
  func notes() throws {
    #expect(try after(",", 3).note == "this is the first event")
    #expect(try after(",.", 3).note.isEmpty)
    #expect(try after("G.", 3).note == "this is the last event")
    #expect(try after("Ge", 3).note == "no failure after this")
    #expect(try after("n", 3).note == "nothing was searched for; / searches")
    #expect(try after("q", 3).isOver)
  }

  @Test("a search goes over colours, and on from where it is", arguments: [1, 3, 100])
  func search(most: Int) throws {
    var stepper = try stepper(most)
    try stepper.search("LINE 5")
    #expect(stepper.current.event.sequence == 5)
    try stepper.press("n")
    #expect(stepper.current.event.sequence == 5 && stepper.note == "no \"LINE 5\" after this")
    try stepper.press("G")
    try stepper.press("N")
    #expect(stepper.current.event.sequence == 5)
    try stepper.search("")
    #expect(stepper.wanted == "LINE 5")
  }

  @Test("playing goes on to the end and pauses there; a key stops it", arguments: [1, 3, 100])
  func playing(most: Int) throws {
    var stepper = try stepper(most)
    try stepper.tick()
    #expect(stepper.number == 1)
    try stepper.press(" ")
    #expect(try stepper.isPlaying && stepper.pause() == 1)
    try stepper.tick()
    #expect(try stepper.number == 2 && stepper.pause() == 3)
    try stepper.press(",")
    #expect(!stepper.isPlaying)
    try stepper.press(" ")
    for _ in 0..<20 { try stepper.tick() }
    #expect(try stepper.number == 10 && !stepper.isPlaying && stepper.pause() == nil)
    try stepper.press(" ")
    #expect(!stepper.isPlaying)
  }
}
