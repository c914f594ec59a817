import ReactiveCocoa2Compatibility
import Testing
import VarveReactive
import VarveTestRig

@Suite struct ListOperatorTests {
  @Test("L10: the pure operators make of a list what they make of a producer")
  func pure() {
    let inputs = [3, 1, 1, 4, 1, 5]
    func same<New: Equatable>(
      _ list: (LazyList<Int>) -> LazyList<New>,
      _ producer: (SignalProducer<Int, Never>) -> SignalProducer<New, Never>,
      line: Int = #line
    ) {
      let sent = collected(producer(SignalProducer(inputs)))
      #expect(Array(list(LazyList(inputs))) == sent, "line \(line)")
    }
    same({ $0.map { $0 * 2 } }, { $0.map { $0 * 2 } })
    same({ $0.map(value: "x") }, { $0.map(value: "x") })
    same({ $0.filter { $0 > 1 } }, { $0.filter { $0 > 1 } })
    same({ $0.compactMap { $0 > 1 ? "\($0)" : nil } }, { $0.compactMap { $0 > 1 ? "\($0)" : nil } })
    same({ $0.take(first: 2) }, { $0.take(first: 2) })
    same({ $0.take(first: 0) }, { $0.take(first: 0) })
    same({ $0.take(last: 2) }, { $0.take(last: 2) })
    same({ $0.take(while: { $0 != 4 }) }, { $0.take(while: { $0 != 4 }) })
    same({ $0.take(until: { $0 != 4 }) }, { $0.take(until: { $0 != 4 }) })
    same({ $0.skip(first: 2) }, { $0.skip(first: 2) })
    same({ $0.skip(while: { $0 != 4 }) }, { $0.skip(while: { $0 != 4 }) })
    same({ $0.skipRepeats() }, { $0.skipRepeats() })
    same({ $0.uniqueValues() }, { $0.uniqueValues() })
    same({ $0.ignore(1) }, { $0.ignore(1) })
    same({ $0.scan(0, +) }, { $0.scan(0, +) })
    same({ $0.scan(into: 0) { $0 += $1 } }, { $0.scan(into: 0) { $0 += $1 } })
    same({ $0.scanIndexed(0) { $0 + $1 * $2 } }, { $0.scanIndexed(0) { $0 + $1 * $2 } })
    same({ $0.scanMap(0) { ($0 + $1, "\($0)") } }, { $0.scanMap(0) { ($0 + $1, "\($0)") } })
    same({ $0.collect(count: 4) }, { $0.collect(count: 4) })
    same({ $0.combinePrevious(0).map(-) }, { $0.combinePrevious(0).map(-) })
    same({ $0.combinePrevious().map(+) }, { $0.combinePrevious().map(+) })
    same({ $0.prefix(value: 9) }, { $0.prefix(value: 9) })
    same({ $0.concat(value: 9) }, { $0.concat(value: 9) })
  }

  @Test("L10: concat, prefix and zip")
  func joining() {
    let list = LazyList([1, 2])
    #expect(Array(list.concat(LazyList([3]))) == [1, 2, 3])
    #expect(Array(list.prefix(LazyList([0]))) == [0, 1, 2])
    let pairs = list.zip(with: LazyList(["a", "b", "c"])).map { "\($0)\($1)" }
    #expect(Array(pairs) == ["1a", "2b"])
    let triples = LazyList.zip(list, LazyList(["a", "b"]), LazyList([true, false, true]))
    #expect(Array(triples.map { "\($0)\($1)\($2)" }) == ["1atrue", "2bfalse"])
    let lists: [LazyList<Int>] = [list, .empty, LazyList([3])]
    #expect(Array(LazyList(lists).flatten()) == [1, 2, 3])
  }

  @Test("L10: flatMap and bind put lists one after the other")
  func binding() {
    let list = LazyList([1, 2, 3])
    #expect(Array(list.flatMap { LazyList([$0, $0 * 10]) }) == [1, 10, 2, 20, 3, 30])
    let stopped = list.bind { value, stop in
      stop = value == 2
      return LazyList([value, value])
    }
    #expect(Array(stopped) == [1, 1, 2, 2])
    #expect(Array(list.bind { value, _ in value == 2 ? nil : LazyList(value: value) }) == [1])
  }

  @Test("L5: what stands before the limit of an endless list is enough")
  func endless() {
    let numbers = LazyList(1...)
    #expect(Array(numbers.filter { $0 % 2 == 0 }.take(first: 3)) == [2, 4, 6])
    let doubled = numbers.map { $0 * 2 }
    #expect(doubled.tail.head == 4)
    let ones = numbers.flatMap { LazyList($0...) }
    #expect(Array(ones.take(first: 2)) == [1, 2])
    let pairs = numbers.zip(with: LazyList("ab")).map { "\($0)\($1)" }
    #expect(Array(pairs) == ["1a", "2b"])
  }

  @Test("L5: take(first:) computes nothing beyond its count")
  func noFurther() {
    let computed = Box<[Int]>([])
    let list = LazyList(1...).map { value in
      computed.append(value)
      return value
    }
    #expect(Array(list.take(first: 2)) == [1, 2])
    #expect(computed.value == [1, 2])
  }

  @Test("L5: a list may be defined by itself")
  func fibonacci() {
    let own = Box<LazyList<Int>>(.empty)
    own.set(
      LazyList(
        head: { 0 },
        tail: {
          LazyList(head: { 1 }, tail: { own.value.zip(with: own.value.tail).map { $0 + $1 } })
        }))
    #expect(Array(own.value.take(first: 10)) == [0, 1, 1, 2, 3, 5, 8, 13, 21, 34])
    let ones = Box<LazyList<Int>>(.empty)
    ones.set(LazyList(head: { 1 }, tail: { ones.value }))
    #expect(Array(ones.value.take(first: 5)) == [1, 1, 1, 1, 1])
    ones.set(.empty)
    own.set(.empty)
  }

  @Test("L5: cells that were held before a list went on in another belong to it still")
  func heldCells() {
    let list = LazyList([1]).concat(LazyList([2, 3, 4]))
    let (third, fourth, fifth) = (list.tail.tail, list.tail.tail.tail, list.tail.tail.tail.tail)
    #expect(fourth.head == 4)
    #expect(third.head == 3)
    #expect(fifth.isEmpty)
    #expect(Array(list) == [1, 2, 3, 4])
    #expect(Array(third) == [3, 4])
  }

  @Test func `foldRight looks no further than it is asked to`() {
    let looked = Box(0)
    let found = LazyList(1...).foldRight(false) { value, rest in
      looked.change { $0 += 1 }
      return value == 3 || rest()
    }
    #expect(found)
    #expect(looked.value == 3)
    let nested = LazyList(["a", "b", "c"]).foldRight("") { "\($0)(\($1()))" }
    #expect(nested == "a(b(c()))")
  }

  @Test func `a sequence's own questions stop early`() {
    let numbers = LazyList(1...)
    #expect(numbers.contains(7))
    #expect(numbers.contains { $0 > 7 })
    #expect(!numbers.allSatisfy { $0 < 7 })
    #expect(numbers.first { $0 > 7 } == 8)
  }
}

/// All values of a producer that sends them when it is started.
private func collected<New>(_ producer: SignalProducer<New, Never>) -> [New] {
  let values = Unguarded<New>()
  producer.startWithValues { values.all.append($0) }
  return values.all
}

/// Values that one thread gathers.
private final class Unguarded<Value>: @unchecked Sendable {
  // Safety: used by the thread of one test.
  var all: [Value] = []
}
