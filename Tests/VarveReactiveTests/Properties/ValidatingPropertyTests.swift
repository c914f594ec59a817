import Testing
import VarveReactive
import VarveTestRig

@Suite struct ValidatingPropertyTests {
  private enum Refusal: Error, Equatable { case odd }
  private typealias Even = ValidatingProperty<Int, Refusal>

  @Test("Y8: a rejection leaves the value, and says why")
  func rejection() {
    let even = Even(0) { $0 % 2 == 0 ? .valid : .invalid(.odd) }
    let values = Box<[Int]>([])
    even.producer.startWithValues { values.append($0) }
    even.value = 2
    even.value = 3
    #expect(even.value == 2)
    #expect(even.result.value.isInvalid)
    #expect(even.result.value.error == .odd)
    even.value = 4
    #expect(!even.result.value.isInvalid)
    #expect(values.value == [0, 2, 4])
  }

  @Test("Y8: a coercion is published as one, once, also where the property inside is observed")
  func coercion() {
    let inside = MutableProperty(0)
    let even = Even(inside) { $0 % 2 == 0 ? .valid : .coerced($0 + 1, .odd) }
    let outcomes = Box<[String]>([])
    even.result.signal.observeValues { result in
      switch result {
      case .valid(let value): outcomes.append("valid \(value)")
      case .coerced(let value, let proposed, let error):
        outcomes.append("\(value) for \(proposed), \(error.map { "\($0)" } ?? "-")")
      case .invalid(let value, _): outcomes.append("invalid \(value)")
      }
    }
    even.value = 3
    inside.value = 5
    inside.value = 6
    #expect(even.value == 6)
    #expect(outcomes.value == ["4 for 3, odd", "6 for 5, odd", "valid 6"])
  }

  @Test("Y8: among threads that propose, the last outcome is that of the value that stays")
  func threads() {
    let inside = MutableProperty(0)
    let even = Even(inside) { $0 % 2 == 0 ? .valid : .invalid(.odd) }
    let outcomes = Box(0)
    even.result.signal.observeValues { _ in outcomes.change { $0 += 1 } }
    onThreads(4) { index in
      for round in 1...200 {
        if index == 3 {
          inside.value = round * 2
        } else {
          even.value = (index * 200 + round) * 2
        }
      }
    }
    #expect(even.value == inside.value)
    #expect(even.result.value.value == even.value)
    #expect(outcomes.value == 800)
    even.value = 1
    #expect(even.value == inside.value)
    #expect(even.result.value.isInvalid)
  }

  @Test("Y8: an observer of the outcome may propose from a thread of its own, while others propose")
  func observers() {
    let even = Even(0) { $0 % 2 == 0 ? .valid : .invalid(.odd) }
    even.result.producer.startWithValues { if $0.isInvalid { even.value = 1_000 } }
    onThreads(3) { index in
      for round in 0..<200 { even.value = index == 0 ? 1 : round * 2 }
    }
    even.value = 1
    #expect(even.value == 1_000)
    #expect(!even.result.value.isInvalid)
  }

  @Test("Y3, Y8: a proposal that an observer of the outcome makes is the later one, everywhere")
  func proposalInside() {
    let even = Even(0) { _ in .valid }
    let (outcomes, values, read) = (Box<[Int?]>([]), Box<[Int]>([]), Box<[Int]>([]))
    even.result.signal.observeValues {
      outcomes.append($0.value)
      if $0.value == 1 { even.value = 2 }
    }
    even.signal.observeValues {
      values.append($0)
      read.append(even.value)
    }
    even.value = 1
    #expect(even.value == 2)
    #expect(even.result.value.value == 2)
    #expect(outcomes.value == [1, 2])
    #expect(values.value == [2])
    #expect(read.value == [2])
  }

  @Test("Y8: what an observer of the outcome makes of the property inside stands, everywhere")
  func changeInside() {
    let inside = MutableProperty(0)
    let even = Even(inside) { $0 < 100 ? .valid : .invalid(.odd) }
    let (outcomes, values) = (Box<[Int?]>([]), Box<[Int]>([]))
    even.result.signal.observeValues {
      outcomes.append($0.value)
      if $0.value == 5 { inside.value = 99 }
      if $0.value == 7 { inside.value = 100 }
    }
    inside.signal.observeValues { values.append($0) }
    even.value = 5
    #expect(inside.value == 99)
    #expect(values.value == [99])
    #expect(even.result.value.value == 99)
    inside.signal.take(first: 1).observeValues { _ in even.value = 7 }
    inside.value = 1
    #expect(inside.value == 100)
    #expect(even.result.value.isInvalid)
    #expect(values.value == [99, 1, 100])
    #expect(outcomes.value == [5, 99, 1, 7, nil])
  }

  @Test("Y8: a limit that an observer of the outcome lowers is kept")
  func limitInside() {
    let limit = MutableProperty(10)
    let limited = Even(0, with: limit) { $0 <= $1 ? .valid : .coerced($1, .odd) }
    limited.result.signal.observeValues { if $0.value == 9 { limit.value = 5 } }
    limited.value = 9
    #expect(limited.value == 5)
    #expect(limited.result.value.value == 5)
  }

  @Test("Y8: so is a proposal inside when the property is of the user's own type")
  func proposalInsideOwnType() {
    let stored = Stored()
    let even = Even(stored) { $0 < 100 ? .valid : .invalid(.odd) }
    let values = Box<[Int]>([])
    even.result.signal.observeValues {
      if $0.value == 1 { even.value = 2 }
      if $0.value == 3 { even.value = 100 }
    }
    even.signal.observeValues { values.append($0) }
    even.value = 1
    #expect(even.value == 2)
    even.value = 3
    #expect(even.value == 3)
    #expect(even.result.value.isInvalid)
    stored.value = 4
    #expect(even.result.value.value == 4)
    #expect(values.value == [2, 3, 4])
  }

  private final class Stored: ComposableMutablePropertyProtocol {
    let inner = MutableProperty(0)
    var value: Int {
      get { inner.value }
      set { inner.value = newValue }
    }
    var producer: SignalProducer<Int, Never> { inner.producer }
    var signal: Signal<Int, Never> { inner.signal }
    var lifetime: Lifetime { inner.lifetime }
    func withValue<Result>(_ action: (Int) throws -> Result) rethrows -> Result {
      try inner.withValue(action)
    }
    func modify<Result>(_ action: (inout Int) throws -> Result) rethrows -> Result {
      try inner.modify(action)
    }
  }

  @Test("S7: who leaves an outcome's observers inside a delivery gets nothing of what follows")
  func leavingInside() {
    let even = Even(0) { _ in .valid }
    let (seen, late) = (Box<[Int?]>([]), Box<[Int?]>([]))
    let other = Box<(any Disposable)?>(nil)
    even.result.signal.observeValues {
      guard $0.value == 1 else { return }
      other.value?.dispose()
      even.result.signal.observeValues { late.append($0.value) }
      even.value = 2
    }
    other.set(even.result.signal.observeValues { seen.append($0.value) })
    even.value = 1
    // The first of the two observers disposed of the second before its turn came.
    #expect(seen.value == [] || seen.value == [1])
    #expect(late.value == [2])
  }

  @Test("Y8: it keeps the property inside, and not the one that its validator looks at")
  func memory() {
    var other: MutableProperty<Int>? = MutableProperty(10)
    weak let weakly = other
    var inside: MutableProperty<Int>? = MutableProperty(1)
    weak let weakInside = inside
    var even: Even? = Even(inside!, with: other!) { $0 <= $1 ? .valid : .invalid(.odd) }
    inside = nil
    other = nil
    #expect(weakInside != nil)
    #expect(weakly == nil)
    even?.value = 11
    #expect(even?.value == 1)
    even?.value = 9
    #expect(even?.value == 9)
    let isOver = Box(false)
    even?.result.signal.observeCompleted { isOver.set(true) }
    even = nil
    #expect(weakInside == nil)
    #expect(isOver.value)
  }
}
