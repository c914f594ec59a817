import Foundation
import ReactiveSwiftCompatibility
import Testing

@Suite struct ValidatingForms {
  private typealias Checked = ValidatingProperty<Int, TestError>

  private func describe(_ result: Checked.Result) -> String {
    switch result {
    case let .valid(value): return "valid \(value)"
    case let .coerced(replacement, proposed, error):
      return "coerced \(replacement) from \(proposed)\(error == nil ? "" : " with error")"
    case let .invalid(value, error): return "invalid \(value) \(error)"
    }
  }

  private static let rule: @Sendable (Int) -> Checked.Decision = { value in
    if value < 0 { return .invalid(.first) }
    if value > 100 { return .coerced(100, .second("too much")) }
    return .valid
  }

  @Test("Y8: a proposal is accepted, coerced or rejected, and the outcome is published")
  func decisions() {
    let root = MutableProperty(0)
    let checked = Checked(root, Self.rule)
    var values: [Int] = []
    var results: [String] = []
    checked.signal.observeValues { values.append($0) }
    checked.result.producer.startWithValues { results.append(self.describe($0)) }
    checked.value = 10
    checked.value = -1
    #expect(checked.value == 10)
    #expect(root.value == 10)
    #expect(checked.result.value.isInvalid)
    #expect(checked.result.value.error == .first)
    #expect(checked.result.value.value == nil)
    checked.value = 500
    #expect(checked.value == 100)
    #expect(checked.result.value.value == 100)
    #expect(values == [10, 100])
    #expect(
      results == [
        "valid 0", "valid 10", "invalid -1 first", "coerced 100 from 500 with error",
      ])
  }

  @Test("Y8: what others make of the property inside is judged, not undone")
  func outside() {
    let root = MutableProperty(1)
    let checked = Checked(root, Self.rule)
    root.value = -5
    #expect(checked.value == -5)
    #expect(describe(checked.result.value) == "invalid -5 first")
    root.value = 7
    #expect(describe(checked.result.value) == "valid 7")
    root.value = 500
    #expect(describe(checked.result.value) == "coerced 100 from 500 with error")
    #expect(checked.value == 500)
  }

  @Test("Y8: the outcome is known before the value is, to observers of either")
  func order() {
    let checked = Checked(0, Self.rule)
    var log: [String] = []
    checked.signal.observeValues {
      log.append("value \($0), \(self.describe(checked.result.value))")
    }
    checked.result.signal.observeValues {
      log.append("\(self.describe($0)), value \(checked.value)")
    }
    checked.value = 5
    #expect(log == ["valid 5, value 0", "value 5, valid 5"])
  }

  @Test("Y8: a proposal made inside an observer of the value or of the outcome is decided as well")
  func recursive() {
    let checked = Checked(0, Self.rule)
    checked.signal.observeValues { if $0 < 3 { checked.value = $0 + 1 } }
    checked.value = 1
    #expect(checked.value == 3)
    #expect(describe(checked.result.value) == "valid 3")
    let other = Checked(0, Self.rule)
    var results: [String] = []
    other.result.signal.observeValues { result in
      results.append(self.describe(result))
      if result.isInvalid { other.value = 42 }
    }
    other.value = -1
    #expect(other.value == 42)
    #expect(results == ["invalid -1 first", "valid 42"])
    let coerced = Checked(0, Self.rule)
    coerced.signal.observeValues { if $0 == 1 { coerced.value = 500 } }
    coerced.value = 1
    #expect(coerced.value == 100)
    #expect(describe(coerced.result.value) == "coerced 100 from 500 with error")
  }

  @Test("Y8: a validator that looks at another property decides again when that changes")
  func dependency() {
    let limit = MutableProperty(10)
    let checked = Checked(5, with: limit) { $0 <= $1 ? .valid : .invalid(.first) }
    checked.value = 20
    #expect(checked.value == 5)
    limit.value = 30
    #expect(checked.value == 20)
    limit.value = 1
    #expect(checked.value == 20)
    #expect(describe(checked.result.value) == "invalid 20 first")
    let over = Checked(MutableProperty(1), with: limit) { $0 <= $1 ? .valid : .coerced($1, nil) }
    over.value = 9
    #expect(over.value == 1)
    #expect(describe(over.result.value) == "coerced 1 from 9")
  }

  @Test("Y8: a validator that looks at another validating property sees what was proposed there")
  func chain() {
    let password = ValidatingProperty<String, TestError>("") {
      $0.count >= 3 ? .valid : .invalid(.first)
    }
    let confirmation = ValidatingProperty<String, TestError>("", with: password) { text, password in
      text == password ? .valid : .invalid(.second("differs"))
    }
    password.value = "ab"
    confirmation.value = "ab"
    #expect(password.result.value.isInvalid)
    #expect(!confirmation.result.value.isInvalid)
    password.value = "abc"
    #expect(confirmation.result.value.isInvalid)
    confirmation.value = "abc"
    #expect(confirmation.result.value.value == "abc")
  }

  @Test("Y8: it is a property, a target and a source, and ends with the property inside")
  func conformances() {
    let checked = Checked(1, Self.rule)
    checked <~ SignalProducer([2, -3])
    #expect(checked.value == 2)
    #expect(checked.map { $0 * 2 }.value == 4)
    #expect(!checked.lifetime.hasEnded)
    let target = MutableProperty(0)
    target <~ checked
    checked.value = 8
    #expect(target.value == 8)
    func takesMutable<P: MutablePropertyProtocol>(_ property: P) where P.Value == Int {
      property.value = 9
    }
    takesMutable(checked)
    #expect(target.value == 9)

    var gone: Checked? = Checked(1, Self.rule)
    weak var weakly = gone
    var isCompleted = false
    gone?.result.signal.observeCompleted { isCompleted = true }
    gone = nil
    #expect(weakly == nil)
    #expect(isCompleted)
  }

  @Test("Y8: a client's own composable property can be inside")
  func ownStorage() {
    final class Stored: ComposableMutablePropertyProtocol {
      let inner = MutableProperty(0)
      var value: Int {
        get { inner.value }
        set { inner.value = newValue }
      }
      var producer: SignalProducer<Int, Never> { inner.producer }
      var signal: Signal<Int, Never> { inner.signal }
      var lifetime: Lifetime { inner.lifetime }
      func withValue<Result>(_ action: (Int) throws -> Result) rethrows -> Result {
        try action(inner.value)
      }
      func modify<Result>(_ action: (inout Int) throws -> Result) rethrows -> Result {
        try inner.modify(action)
      }
    }
    let stored = Stored()
    let checked = Checked(stored, Self.rule)
    var results: [String] = []
    checked.result.signal.observeValues { results.append(self.describe($0)) }
    checked.value = 5
    checked.value = -1
    checked.value = 500
    stored.value = 6
    #expect(checked.value == 6)
    #expect(
      results == [
        "valid 5", "invalid -1 first", "coerced 100 from 500 with error", "valid 6",
      ])
  }
}
