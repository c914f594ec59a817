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
