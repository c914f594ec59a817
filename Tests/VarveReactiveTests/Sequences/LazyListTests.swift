import ReactiveCocoa2Compatibility
import Testing
import VarveReactive
import VarveTestRig

@Suite struct LazyListTests {
  /// A list of 1, 2, 3, … up to a limit that notes what it computes.
  private func counting(to limit: Int = .max, _ computed: Box<[Int]>) -> LazyList<Int> {
    let last = Box(0)
    return LazyList(sequence: {
      let next = last.change { count in
        count += 1
        return count
      }
      guard next <= limit else { return nil }
      computed.append(next)
      return next
    })
  }

  @Test("L5: an element is computed only when it is read, after those before it")
  func lazy() {
    let computed = Box<[Int]>([])
    let list = counting(computed)
    let third = list.tail.tail
    #expect(computed.value == [])
    #expect(third.head == 3)
    #expect(computed.value == [1, 2, 3])
    #expect(list.head == 1)
    #expect(list.tail.head == 2)
    #expect(computed.value == [1, 2, 3])
  }

  @Test("L5: head and tail of a list, and of the empty list")
  func headAndTail() {
    let list = LazyList([1, 2])
    #expect(list.head == 1)
    #expect(list.tail.head == 2)
    #expect(list.tail.tail.head == nil)
    #expect(list.tail.tail.tail.isEmpty)
    #expect(LazyList<Int>.empty.head == nil)
    #expect(LazyList<Int>.empty.tail.isEmpty)
    #expect(!list.isEmpty)
    #expect(Array(list) == [1, 2])
    #expect(Array(LazyList(value: 7)) == [7])
  }

  @Test("L5: an element is computed once, side effects included, also through derived lists")
  func once() {
    let computed = Box<[Int]>([])
    let transformed = Box<[Int]>([])
    let list = counting(to: 4, computed)
    let doubled = list.map { value in
      transformed.append(value)
      return value * 2
    }
    let even = doubled.filter { $0 % 4 == 0 }
    #expect(Array(even) == [4, 8])
    #expect(Array(even) == [4, 8])
    #expect(Array(doubled) == [2, 4, 6, 8])
    #expect(Array(list) == [1, 2, 3, 4])
    #expect(computed.value == [1, 2, 3, 4])
    #expect(transformed.value == [1, 2, 3, 4])
  }

  @Test("L5: it blocks the reader until the element is computed")
  func blocking() {
    let mayCompute = Flag()
    let isComputing = Flag()
    let list = LazyList<Int>(sequence: {
      isComputing.raise()
      mayCompute.wait()
      return 1
    })
    let read = Box<[Int?]>([])
    let isDone = Flag()
    inBackground {
      read.append(list.head)
      isDone.raise()
    }
    isComputing.wait()
    #expect(read.value == [])
    mayCompute.raise()
    isDone.wait()
    #expect(read.value == [1])
  }

  @Test("L6: many threads that read one list compute each element once, and see the same")
  func threads() {
    for _ in 0..<10 {
      let computed = Box<[Int]>([])
      let list = counting(to: 500, computed).map { $0 }
      let seen = (0..<4).map { _ in Box<[Int]>([]) }
      onThreads(4) { index in seen[index].set(Array(list)) }
      #expect(computed.value == Array(1...500))
      for one in seen { #expect(one.value == Array(1...500)) }
    }
  }

  @Test("L6: many threads that ask for tails of what is not computed get the same ones")
  func tails() {
    for _ in 0..<50 {
      let list = counting(Box([]))
      let seen = Box<[Int?]>([])
      onThreads(4) { index in seen.append(index == 0 ? list.head : list.tail.tail.tail.head) }
      #expect(seen.value.sorted { ($0 ?? 0) < ($1 ?? 0) } == [1, 4, 4, 4])
    }
  }

  @Test("L6: ten million elements are walked, held, and released on a small stack")
  func releasing() {
    let count = Box(0)
    onSmallStack {
      var list: LazyList<UInt8>? = LazyList(repeatElement(7, count: 10_000_000))
      var length = 0
      for _ in list ?? .empty { length += 1 }
      count.set(length)
      list = nil
    }
    #expect(count.value == 10_000_000)
  }

  @Test("L6: elements that nobody holds are released while a list is walked, on a small stack")
  func walking() {
    let sum = Box(0)
    onSmallStack {
      var total = 0
      for value in LazyList(0..<500_000) { total &+= value }
      sum.set(total)
    }
    #expect(sum.value == 500_000 / 2 * 499_999)
  }

  @Test("L6: very many tails of what is not computed are read, and released, on a small stack")
  func unreadTails() {
    let read = Box<Int?>(nil)
    onSmallStack {
      var tail = LazyList(0...)
      for _ in 0..<200_000 { tail = tail.tail }
      read.set(tail.head)
    }
    #expect(read.value == 200_000)
  }

  @Test("L6: a list that ends in lists that end in lists needs no deep stack")
  func recursive() {
    let read = Box<Int?>(nil)
    onSmallStack {
      let list = naturals(from: 0)
      var rest = list
      while let head = rest.head, head < 100_000 { rest = rest.tail }
      read.set(rest.head)
      withExtendedLifetime(list) {}
    }
    #expect(read.value == 100_000)
  }

  @Test("L8: whoever holds a tail keeps no earlier element alive")
  func earlierElements() {
    final class Element: Sendable {}
    let alive = Box<[Weak<Element>]>([])
    var list: LazyList<Element>? = LazyList(sequence: {
      let element = Element()
      alive.append(Weak(element))
      return element
    }).map { $0 }
    let tail = list?.tail.tail
    _ = list?.head
    #expect(tail?.head != nil)
    #expect(alive.value.map { $0.isAlive } == [true, true, true])
    list = nil
    #expect(alive.value.map { $0.isAlive } == [false, false, true])
    withExtendedLifetime(tail) {}
  }

  @Test("L8: nor does a tail that was asked for before anything was computed")
  func earlierElementsOfAnEarlyTail() {
    final class Element: Sendable {}
    let alive = Box<[Weak<Element>]>([])
    let list = LazyList<Element>(sequence: {
      let element = Element()
      alive.append(Weak(element))
      return element
    })
    let tail = { list.tail.tail }()
    var copy: LazyList? = list
    _ = copy?.head
    copy = nil
    #expect(tail.head != nil)
    withExtendedLifetime(list) { #expect(alive.value.map { $0.isAlive } == [true, true, true]) }
  }

  @Test("L9: eager computes at once, and so do lists derived from an eager one")
  func eager() {
    let computed = Box<[Int]>([])
    let transformed = Box<[Int]>([])
    let eager = counting(to: 3, computed).eager
    #expect(computed.value == [1, 2, 3])
    let derived = eager.map { value in
      transformed.append(value)
      return value
    }
    #expect(transformed.value == [1, 2, 3])
    _ = derived.tail.filter { value in
      transformed.append(-value)
      return true
    }
    #expect(transformed.value == [1, 2, 3, -2, -3])
    _ = eager.flatMap { value in
      transformed.append(value * 10)
      return LazyList(value: value)
    }
    #expect(transformed.value.suffix(3) == [10, 20, 30])
  }

  @Test("L9: lazy makes what is derived wait again")
  func lazyAgain() {
    let transformed = Box<[Int]>([])
    let derived = LazyList([1, 2]).eager.lazy.map { value in
      transformed.append(value)
      return value
    }
    #expect(transformed.value == [])
    #expect(derived.head == 1)
    #expect(transformed.value == [1])
  }

  @Test("N6: describing a list computes nothing")
  func describing() {
    let computed = Box<[Int]>([])
    let list = counting(computed).map { $0 * 2 }.named("even")
    #expect("\(list)" == "even")
    #expect(list.debugDescription == "even […]")
    #expect(list.derivation.hasSuffix(".map(_:)"))
    #expect(computed.value == [])
    _ = list.tail.head
    #expect(list.debugDescription == "even [2, 4, …]")
    #expect(computed.value == [1, 2])
    #expect(LazyList([1]).eager.named("one").debugDescription == "one [1]")
  }

  @Test("N6: describing a stream starts nothing")
  func describingStreams() {
    let starts = Box(0)
    let producer = SignalProducer<Int, Never> { _, _ in starts.change { $0 += 1 } }
      .map { $0 }.replayLazily(upTo: 1).publish().autoconnect()
    for text in ["\(producer)", producer.bracketDescription, producer.derivation] {
      #expect(!text.isEmpty)
    }
    #expect(starts.value == 0)
  }

  @Test("N2: a list's operators extend its name as a producer's do")
  func names() {
    let list = LazyList([1]).named("numbers")
    let producer = SignalProducer<Int, Never>(value: 1).named("numbers")
    let lists: [LazyList<Int>] = [
      list.map { $0 }, list.filter { _ in true }, list.take(first: 3), list.skip(first: 1),
      list.skipRepeats(), list.scan(0, +), list.take(while: { _ in true }), list.ignore(0),
      list.concat(list), list.prefix(value: 1), list.uniqueValues(),
    ]
    let producers: [SignalProducer<Int, Never>] = [
      producer.map { $0 }, producer.filter { _ in true }, producer.take(first: 3),
      producer.skip(first: 1), producer.skipRepeats(), producer.scan(0, +),
      producer.take(while: { _ in true }), producer.ignore(0), producer.concat(producer),
      producer.prefix(value: 1), producer.uniqueValues(),
    ]
    #expect(lists.map(\.description) == producers.map(\.description))
    #expect(lists.map(\.bracketDescription) == producers.map(\.bracketDescription))
    #expect(list.tail.description == "numbers")
  }

  @Test("L6: an element that is needed to compute itself stops the program, which names the list")
  func selfReference() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let own = Box<LazyList<Int>>(.empty)
      own.set(LazyList<Int>(sequence: { own.value.head }).named("knot"))
      _ = own.value.head
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("is needed to compute itself"))
  }
}

private struct Weak<Object: AnyObject & Sendable>: @unchecked Sendable {
  // Safety: weak references are made for many threads.
  private weak var object: Object?

  init(_ object: Object) { self.object = object }

  var isAlive: Bool { object != nil }
}

@Sendable private func naturals(from first: Int) -> LazyList<Int> {
  LazyList(head: { first }, tail: { naturals(from: first + 1) })
}
