import Testing
import VarveReactive

@Suite struct FilterTests {
  @Test func `filter and compactMap drop what they refuse`() {
    #expect(marbles([1, 2, 3, 4]) { $0.filter { $0.isMultiple(of: 2) } } == "2 4 |")
    #expect(marbles(["1", "x", "3"]) { $0.compactMap { Int($0) } } == "1 3 |")
  }

  @Test func `skipRepeats compares with the last value that was forwarded`() {
    #expect(marbles([1, 1, 2, 2, 1]) { $0.skipRepeats() } == "1 2 1 |")
    #expect(marbles([1, 2, 3, 5]) { $0.skipRepeats { abs($0 - $1) < 2 } } == "1 3 5 |")
    #expect(marbles([Int]()) { $0.skipRepeats() } == "|")
  }

  @Test func `uniqueValues remembers all`() {
    #expect(marbles([1, 2, 1, 3, 2]) { $0.uniqueValues() } == "1 2 3 |")
    #expect(marbles(["a", "A", "b"]) { $0.uniqueValues { $0.lowercased() } } == "a b |")
  }

  @Test func `ignoring`() {
    #expect(marbles([1, 2, 1]) { $0.ignore(1) } == "2 |")
    #expect(marbles([1, 2], .failed) { $0.ignoreValues() } == "x")
  }

  @Test("E12: nil and () are ordinary values")
  func emptyValues() {
    let optionals = [1, nil, nil, 2]
    #expect(marbles(optionals) { $0 } == "Optional(1) nil nil Optional(2) |")
    #expect(marbles(optionals) { $0.skipRepeats() } == "Optional(1) nil Optional(2) |")
    #expect(marbles(optionals) { $0.skipNil() } == "1 2 |")
    #expect(marbles([nil, 1]) { $0.scan(Int?.some(0)) { $1 } } == "nil Optional(1) |")
    #expect(marbles([(), ()]) { $0 } == "() () |")
    #expect(marbles([(), ()]) { $0.take(last: 1) } == "() |")
    #expect(marbles([(), ()]) { $0.collect() } == "[(), ()] |")
    #expect(marbles([nil, 1]) { $0.combinePrevious() } == "(nil, Optional(1)) |")
    #expect(marbles([[nil], [1]]) { $0.flatten() } == "nil Optional(1) |")
  }
}
