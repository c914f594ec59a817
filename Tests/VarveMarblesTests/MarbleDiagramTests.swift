import Testing
import VarveMarbles

@Suite("The marble notation") struct MarbleDiagramTests {
  @Test(
    "each character is a frame, a group lies in one frame and takes as many as it has characters",
    arguments: [
      ("", []),
      ("-", []),
      ("--a--b-|", ["a@2", "b@5", "|@7"]),
      ("-(ab|)", ["a@1", "b@1", "|@1"]),
      ("(ab)c", ["a@0", "b@0", "c@4"]),
      ("a 20ms b #", ["a@0", "b@21", "#@22"]),
      ("1s a", ["a@1000"]),
      ("^-a-!", ["^@0", "a@2", "!@4"]),
      ("- - a", ["a@2"]),
      ("20 -", ["2@0", "0@1"]),
    ])
  func reads(_ text: String, _ marbles: [String]) throws {
    #expect(try MarbleDiagram(parsing: text).marbles.map(\.description) == marbles)
  }

  @Test(
    "a mistake is shown with its place",
    arguments: [("--(a", 2), ("a)", 1), ("((", 1), ("(-)", 1), ("a*", 1)])
  func mistakes(_ text: String, _ position: Int) {
    #expect {
      try MarbleDiagram(parsing: text)
    } throws: { error in
      (error as? MarbleDiagram.Mistake)?.position == position
    }
  }

  @Test(
    "what is printed reads back the same",
    arguments: ["--a--b-|", "-(ab|)", "a----(bc)--d#", "a 50ms b", "50ms a", "--"])
  func roundTrip(_ text: String) throws {
    let diagram = try MarbleDiagram(parsing: text)
    #expect(try MarbleDiagram(parsing: diagram.description) == diagram)
  }
}
