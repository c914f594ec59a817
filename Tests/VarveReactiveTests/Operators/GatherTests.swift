import Testing
import VarveReactive
import VarveTestRig

@Suite struct GatherTests {
  @Test func `collect gathers everything`() {
    #expect(marbles([1, 2, 3]) { $0.collect() } == "[1, 2, 3] |")
    #expect(marbles([Int]()) { $0.collect() } == "[] |")
    #expect(marbles([1, 2], .failed) { $0.collect() } == "x")
    #expect(marbles([1, 2], nil) { $0.collect() } == "")
  }

  @Test func `collect(count:) makes arrays of one length, and one of what is left`() {
    #expect(marbles([1, 2, 3, 4, 5]) { $0.collect(count: 2) } == "[1, 2] [3, 4] [5] |")
    #expect(marbles([1, 2, 3, 4]) { $0.collect(count: 2) } == "[1, 2] [3, 4] |")
    #expect(marbles([Int]()) { $0.collect(count: 2) } == "[] |")
  }

  @Test func `collect with a predicate, on what was gathered or on what comes`() {
    let values = [1, 2, 9, 3, 9, 4]
    #expect(
      marbles(values) { $0.collect { $0.last == 9 } } == "[1, 2, 9] [3, 9] [4] |")
    #expect(
      marbles(values) { $0.collect { _, next in next == 9 } } == "[1, 2] [9, 3] [9, 4] |")
  }

  @Test func `combinePrevious`() {
    #expect(marbles([1, 2, 3]) { $0.combinePrevious() } == "(1, 2) (2, 3) |")
    #expect(marbles([1]) { $0.combinePrevious() } == "|")
    #expect(marbles([1, 2]) { $0.combinePrevious(0) } == "(0, 1) (1, 2) |")
  }

  @Test func `flatten sends the elements of sequences`() {
    #expect(marbles([[1, 2], [], [3]]) { $0.flatten() } == "1 2 3 |")
    #expect(marbles([[[1], [2]], [[3]]]) { $0.flatten().flatten() } == "1 2 3 |")
  }

  @Test("P6: flatten stops iterating when nobody can receive the rest")
  func endless() {
    let endless = SignalProducer<PartialRangeFrom<Int>, TestFailure>(value: 1...).flatten()
    #expect(marbles(endless.take(first: 3)) == "1 2 3 |")
    #expect(marbles(endless.map { $0 * 2 }.filter { $0 > 4 }.take(first: 2)) == "6 8 |")
    #expect(marbles(endless.map { $0... }.flatten().take(first: 2)) == "1 2 |")
  }

  @Test("P4: flatten stops iterating when its start is disposed of during the delivery")
  func disposed() {
    let seen = Box<[String]>([])
    let start = Box<(any Disposable)?>(nil)
    let (signal, input) = Signal<PartialRangeFrom<Int>, Never>.pipe()
    start.set(
      SignalProducer(signal).flatten().start { event in
        seen.append(event.description)
        if event.value == 2 { start.value?.dispose() }
      })
    input.send(value: 1...)
    #expect(seen.value == ["VALUE 1", "VALUE 2", "INTERRUPTED"])
  }

  @Test("P6: flatten of a signal stops iterating when no observer is left")
  func noObserver() {
    let (signal, input) = Signal<PartialRangeFrom<Int>, Never>.pipe()
    let elements = signal.flatten()
    let seen = Box<[Int]>([])
    elements.take(first: 2).observeValues { seen.append($0) }
    let observation = Box<(any Disposable)?>(nil)
    observation.set(
      elements.observeValues { value in
        seen.append(value)
        if value == 3 { observation.value?.dispose() }
      })
    input.send(value: 1...)
    #expect(seen.value == [1, 1, 2, 2, 3])
    input.send(value: 7...)
    #expect(seen.value == [1, 1, 2, 2, 3])
  }
}
