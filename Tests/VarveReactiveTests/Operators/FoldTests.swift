import Testing
import VarveReactive
import VarveTestRig

@Suite struct FoldTests {
  @Test func `scan sends every intermediate result and not the initial one`() {
    #expect(marbles([1, 2, 3]) { $0.scan(10, +) } == "11 13 16 |")
    #expect(marbles([Int]()) { $0.scan(10, +) } == "|")
    #expect(marbles([1, 2], .failed) { $0.scan(10, +) } == "11 13 x")
    #expect(marbles([1, 2, 3]) { $0.scan(into: "") { $0 += "\($1)" } } == "1 12 123 |")
  }

  @Test func `scanIndexed counts from 0`() {
    #expect(marbles(["a", "b"]) { $0.scanIndexed("") { "\($0)\($2)\($1)" } } == "0a 0a1b |")
  }

  @Test func `scanMap carries a state and sends something else`() {
    #expect(marbles([1, 2, 3]) { $0.scanMap(0) { ($0 + $1, $0 * $1) } } == "0 2 9 |")
    let running = marbles([1, 2, 3]) { producer in
      producer.scanMap(into: 0) { sum, value in
        sum += value
        return "\(sum)!"
      }
    }
    #expect(running == "1! 3! 6! |")
  }

  @Test func `reduce sends one result, at completion only`() {
    #expect(marbles([1, 2, 3]) { $0.reduce(10, +) } == "16 |")
    #expect(marbles([Int]()) { $0.reduce(10, +) } == "10 |")
    #expect(marbles([1, 2], nil) { $0.reduce(10, +) } == "")
    #expect(marbles([1, 2], .failed) { $0.reduce(10, +) } == "x")
    #expect(marbles([1, 2], .interrupted) { $0.reduce(10, +) } == "!")
    #expect(marbles([3, 1, 2]) { $0.reduce(into: []) { $0.append($1) } } == "[3, 1, 2] |")
    #expect(marbles(["a", "b"]) { $0.reduceIndexed("") { "\($0)\($2)\($1)" } } == "0a1b |")
  }

  @Test("P2: a result that is an object is made afresh for each start")
  func factory() {
    final class Sum {
      var value = 0
    }
    let made = Box(0)
    let sums = SignalProducer<Int, Never>([1, 2, 3]).reduce(startingWith: {
      made.change { $0 += 1 }
      return Sum()
    }) { sum, value in
      sum.value += value
      return sum
    }.map(\.value)
    #expect(made.value == 0)
    #expect(marbles(sums) == "6 |")
    #expect(marbles(sums) == "6 |")
    #expect(made.value == 2)
  }

  @Test("P2: every fold begins anew at each start")
  func startsAfresh() {
    let numbers = SignalProducer<Int, Never>([1, 2, 3])
    let scans = [
      numbers.scan(0, +), numbers.scan(into: 0) { $0 += $1 },
      numbers.scanIndexed(0) { $0 + $2 }, numbers.reduce(0, +),
      numbers.reduceIndexed(0) { $0 + $2 },
      numbers.scanMap(0) { ($0 + $1, $0) },
    ]
    for scan in scans {
      let first = marbles(scan)
      #expect(marbles(scan) == first)
    }
  }

  @Test("S8: a signal's closure runs once per event, however many observe the result")
  func oncePerEvent() {
    let runs = Box<[Int]>([])
    let (signal, input) = Signal<Int, Never>.pipe()
    let sums = signal.scan(0) { sum, value in
      runs.append(value)
      return sum + value
    }
    input.send(value: 1)  // Nobody observes, and still the state moves on.
    let seen = Box<[Int]>([])
    for _ in 0..<3 { sums.observeValues { seen.append($0) } }
    input.send(value: 2)
    #expect(runs.value == [1, 2])
    #expect(seen.value == [3, 3, 3])
  }
}
