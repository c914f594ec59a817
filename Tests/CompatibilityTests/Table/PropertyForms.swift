import Foundation
import ReactiveSwiftCompatibility
import Testing

/// A client's own property.
private final class Clock: PropertyProtocol {
  private let store = MutableProperty(0)
  var value: Int { store.value }
  var producer: SignalProducer<Int, Never> { store.producer }
  var signal: Signal<Int, Never> { store.signal }
  func tick() { store.value += 1 }
}

/// A client's own mutable property.
private final class Celsius: MutablePropertyProtocol {
  private let store = MutableProperty(0.0)
  var value: Double {
    get { store.value }
    set { store.value = max(-273.15, newValue) }
  }
  var producer: SignalProducer<Double, Never> { store.producer }
  var signal: Signal<Double, Never> { store.signal }
  var lifetime: Lifetime { store.lifetime }
}

@Suite struct PropertyForms {
  @Test("Y7: a mutable property is read, set, swapped and changed in place")
  func mutable() throws {
    let property = MutableProperty(1)
    var changes: [Int] = []
    property.signal.observeValues { changes.append($0) }
    property.value = 2
    #expect(property.swap(3) == 2)
    let doubled: Int = property.modify { value in
      value *= 2
      return value
    }
    property.modify { $0 += 1 }
    #expect(doubled == 6)
    #expect(property.withValue { "\($0)" } == "7")
    #expect(throws: TestError.first) { try property.modify { _ in throw TestError.first } }
    property.swap(8)
    #expect(changes == [2, 3, 6, 7, 7, 8])
    let ended: Signal<Never, Never> = property.lifetime.ended
    #expect(!property.lifetime.hasEnded)
    withExtendedLifetime(ended) {}
  }

  @Test("Y5: properties are made of values, of others and of streams")
  func sources() {
    let source = MutableProperty(1)
    let constant = Property(value: "c")
    let view = Property(source)
    let captured = Property(capturing: source)
    let later = Property(initial: 0, then: source.producer.map { $0 * 10 })
    let fromSignal = Property(initial: 0, then: source.signal)
    let optional = Property<Int?>(initial: nil, then: source.producer)
    let optionalSignal = Property<Int?>(initial: nil, then: source.signal)
    source.value = 2
    #expect(constant.value == "c")
    #expect(view.value == 2)
    #expect(captured.value == 2)
    #expect(later.value == 20)
    #expect(fromSignal.value == 2)
    #expect(optional.value == 2)
    #expect(optionalSignal.value == 2)
    let all: [MutableProperty<Int>] = [1, 2].map(MutableProperty.init)
    #expect(all.map { $0.value } == [1, 2])
    let constants: [Property<Int>] = [1, 2].map(Property.init(value:))
    #expect(constants.map(\.value) == [1, 2])
  }

  @Test("Y5: every operator of properties has the predecessor's form")
  func operators() {
    let number = MutableProperty(1)
    let text = MutableProperty("a")
    let yes = MutableProperty(true)
    let mapped: Property<Int> = number.map { $0 + 1 }
    let keyPath: Property<Int> = text.map(\.count)
    let replaced = number.map(value: "x")
    let pair: Property<(Int, String)> = number.combineLatest(with: text)
    let zipped: Property<(Int, String)> = number.zip(with: text)
    let both = Property.combineLatest(number, text).map { "\($0)\($1)" }
    let second = Property.combineLatest(number, text).map { $0.1 }
    let four = Property.combineLatest(number, text, yes, number).map { $0.3 }
    let five = Property.zip(number, text, yes, number, text).map { $0.4 }
    let list = Property.combineLatest([number, number])
    let none = Property.combineLatest([MutableProperty<Int>](), emptySentinel: [7])
    let zipList = Property.zip([number, number])
    let previous = number.combinePrevious(0)
    let distinct = number.skipRepeats()
    let distinctBy = number.skipRepeats { $0 % 10 == $1 % 10 }
    let unique = number.uniqueValues()
    let uniqueBy = number.uniqueValues { $0 % 10 }
    let even = number.filter(initial: 0) { $0 % 2 == 0 }
    let inner: Property<Int> = number.flatMap(.latest) { MutableProperty($0 * 100) }
    let nested = MutableProperty(MutableProperty(5)).flatten(.latest)
    let conjunction = yes.and(yes.negate())
    let disjunction = yes.or(yes.negate())
    let everything = Property<Bool>.all(yes, yes)
    let anything = Property<Bool>.any([yes.negate(), yes.negate()])
    number.value = 2
    text.value = "bc"
    #expect(mapped.value == 3)
    #expect(keyPath.value == 2)
    #expect(replaced.value == "x")
    #expect(pair.value == (2, "bc"))
    #expect(zipped.value == (2, "bc"))
    #expect(both.value == "2bc")
    #expect(second.value == "bc")
    #expect(four.value == 2)
    #expect(five.value == "a")
    #expect(list?.value == [2, 2])
    #expect(none.value == [7])
    #expect(zipList?.value == [2, 2])
    #expect(Property.combineLatest([MutableProperty<Int>]()) == nil)
    #expect(previous.value == (1, 2))
    #expect([distinct, distinctBy, unique, uniqueBy, even].map { $0.value } == [2, 2, 2, 2, 2])
    #expect(inner.value == 200)
    #expect(nested.value == 5)
    #expect(
      [conjunction, disjunction, everything, anything].map { $0.value } == [
        false, true, true, false,
      ])
  }

  @Test("Y10: clients' own properties work in operators, in compositions and in bindings")
  func own() {
    let clock = Clock()
    let celsius = Celsius()
    let text = clock.map { "tick \($0)" }
    let both = Property.combineLatest(clock, celsius).map { Double($0) + $1 }
    let view = Property(clock)
    celsius <~ clock.map { Double($0) * 10 }
    clock.tick()
    #expect(text.value == "tick 1")
    #expect(celsius.value == 10)
    #expect(both.value == 11)
    #expect(view.value == 1)
    celsius <~ SignalProducer(value: -500)
    #expect(celsius.value == -273.15)
    var seen: [Int] = []
    SignalProducer<Int, Never>([5]).withLatest(from: clock).startWithValues { seen.append($1) }
    clock.producer.startWithValues { seen.append($0) }
    #expect(seen == [1, 1])
    let erased: any PropertyProtocol<Int> = clock
    #expect(erased.value == 1)
  }

  @Test("Y2: the wrapper forms give the value, and with a dollar sign the property")
  func wrappers() {
    final class Model {
      @MutableProperty var count = 0
      @MutableProperty var name: String
      @Property var title: String

      init(name: String) {
        _name = MutableProperty(name)
        let property = MutableProperty(name)
        _title = Property(capturing: property.map { "<\($0)>" })
      }
    }
    let model = Model(name: "n")
    var counts: [Int] = []
    model.$count.producer.startWithValues { counts.append($0) }
    model.count += 1
    model.$count.modify { $0 += 1 }
    model.$name <~ SignalProducer(value: "bound")
    #expect(counts == [0, 1, 2])
    #expect(model.name == "bound")
    #expect(model.title == "<n>")
    #expect(model.$title.value == "<n>")
  }

  @Test("Y9: a property's signal sends changes, its producer the latest value first")
  func streams() {
    var property: MutableProperty<Int>? = MutableProperty(1)
    let signal = property!.signal
    let producer = property!.producer
    var log: [String] = []
    signal.observe { log.append("signal \($0)") }
    producer.start { log.append("producer \($0)") }
    property?.value = 2
    property = nil
    producer.start { log.append("late \($0)") }
    #expect(
      log == [
        "producer VALUE 1", "signal VALUE 2", "producer VALUE 2", "signal COMPLETED",
        "producer COMPLETED", "late VALUE 2", "late COMPLETED",
      ])
  }

  @Test("Y4: an observer of a property may write it and observe it")
  func recursion() {
    let property = MutableProperty(0)
    var seen: [Int] = []
    property.producer.startWithValues { value in
      seen.append(value)
      if value < 3 { property.value = value + 1 }
    }
    #expect(property.value == 3)
    #expect(seen == [0, 1, 2, 3])
    let other = MutableProperty("a")
    var inner: String?
    other.producer.startWithValues { _ in
      other.producer.startWithValues { inner = $0 }
    }
    other.value = "b"
    #expect(inner == "b")
  }
}
