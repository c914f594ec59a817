import Testing
import VarveReactive

@Suite struct AnswerTests {
  @Test func `contains answers as soon as it is certain`() {
    #expect(marbles([1, 9, 2], nil) { $0.contains { $0 > 5 } } == "true |")
    #expect(marbles([1, 2]) { $0.contains { $0 > 5 } } == "false |")
    #expect(marbles([1, 2], nil) { $0.contains { $0 > 5 } } == "")
    #expect(marbles([1, 2], .failed) { $0.contains { $0 > 5 } } == "x")
    #expect(marbles([1, 2], nil) { $0.contains(2) } == "true |")
    #expect(marbles([Int]()) { $0.contains(2) } == "false |")
  }

  @Test func `allSatisfy answers as soon as it is certain`() {
    #expect(marbles([1, 9, 2], nil) { $0.allSatisfy { $0 < 5 } } == "false |")
    #expect(marbles([1, 2]) { $0.allSatisfy { $0 < 5 } } == "true |")
    #expect(marbles([Int]()) { $0.allSatisfy { $0 < 5 } } == "true |")
    #expect(marbles([1], .interrupted) { $0.allSatisfy { $0 < 5 } } == "!")
  }

  @Test func `hasAnyValue answers with the first value`() {
    #expect(marbles([1], nil) { $0.hasAnyValue() } == "true |")
    #expect(marbles([Int]()) { $0.hasAnyValue() } == "false |")
  }

  @Test func `negate`() {
    #expect(marbles([true, false]) { $0.negate() } == "false true |")
  }
}
