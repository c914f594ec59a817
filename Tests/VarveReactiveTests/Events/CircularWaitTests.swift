import Testing

@Suite struct CircularWaitTests {
  @Test("E14: two signals that feed each other from two threads stop the program with a message")
  func signals() throws {
    let child = try ChildProgram.run("circle")
    let told = try #require(child.report)
    #expect(told.summary.hasPrefix("Varve: threads wait for each other in a circle"))
    #expect(told.summary.contains("'left'"))
    #expect(told.summary.contains("'right'"))
    #expect(told.way == ["left"] || told.way == ["right"])
    #expect(told.began?.contains("Plays.swift:") == true)
    #expect(child.marks("inner").contains { told.cameBack?.hasSuffix($0) == true })
    #expect(!child.cameToTheEnd)
  }

  @Test("E14: so do two properties that read each other while they are changed")
  func properties() throws {
    let child = try ChildProgram.run("property circle")
    let told = try #require(child.report)
    #expect(told.summary.contains("'left'"))
    #expect(told.summary.contains("'right'"))
    #expect(!child.cameToTheEnd)
  }
}
