import Testing
import VarveReactive
import VarveTestRig

@Suite struct ComposedPropertyTests {
  @Test("Y5: a composed property does not keep its source, and ends with it")
  func source() {
    var source: MutableProperty<Int>? = MutableProperty(1)
    weak let weakly = source
    let composed = source!.map { $0 * 2 }.skipRepeats()
    let view = Property(source!)
    let log = Box<[String]>([])
    composed.signal.observe { log.append("\($0)") }
    source?.value = 2
    source = nil
    #expect(weakly == nil)
    #expect(log.value == ["VALUE 4", "COMPLETED"])
    #expect(composed.value == 4)
    #expect(view.value == 2)
  }

  @Test("Y5: a capturing property keeps its source")
  func capturing() {
    var source: MutableProperty<Int>? = MutableProperty(1)
    weak let weakly = source
    var view: Property<Int>? = Property(capturing: source!)
    source = nil
    #expect(weakly != nil)
    weakly?.value = 5
    #expect(view?.value == 5)
    view = nil
    #expect(weakly == nil)
  }

  @Test("Y5: composing has no side effect, and releasing what was composed ends nothing")
  func release() {
    let source = MutableProperty(0)
    let log = Box<[String]>([])
    source.signal.observe { log.append("\($0)") }
    var composed: Property<Int>? = source.map { $0 + 1 }
    let signal = composed!.signal
    signal.observe { log.append("composed \($0)") }
    composed = nil
    source.value = 1
    #expect(log.value == ["VALUE 1", "composed VALUE 2"])
    withExtendedLifetime(signal) {}
  }

  @Test("Y5: a property of several sources ends when all of them have")
  func several() {
    var first: MutableProperty<Int>? = MutableProperty(1)
    var second: MutableProperty<String>? = MutableProperty("a")
    let both = Property.combineLatest(first!, second!)
    let isOver = Box(false)
    both.signal.observeCompleted { isOver.set(true) }
    first?.value = 2
    first = nil
    second?.value = "b"
    #expect(!isOver.value)
    #expect(both.value == (2, "b"))
    second = nil
    #expect(isOver.value)
  }

  @Test(
    "Y9: the signal sends changes only; a producer started late sends the last value and completes")
  func late() {
    var source: MutableProperty<Int>? = MutableProperty(1)
    let composed = source!.map { $0 * 10 }
    let log = Box<[String]>([])
    composed.signal.observe { log.append("signal \($0)") }
    #expect(log.value == [])
    source?.value = 2
    source = nil
    composed.producer.start { log.append("producer \($0)") }
    #expect(
      log.value == [
        "signal VALUE 20", "signal COMPLETED", "producer VALUE 20", "producer COMPLETED",
      ])
    let constant = Property(value: 3)
    constant.producer.start { log.append("constant \($0)") }
    constant.signal.observe { log.append("constant's signal \($0)") }
    #expect(
      log.value.suffix(3) == [
        "constant VALUE 3", "constant COMPLETED", "constant's signal INTERRUPTED",
      ])
  }

  @Test("Y5: a property of a producer holds its first value until the producer sends")
  func initial() {
    let (values, input) = Signal<Int, Never>.pipe()
    let property = Property(initial: 0, then: values)
    let optional = Property<Int?>(initial: nil, then: values)
    #expect(property.value == 0)
    #expect(optional.value == nil)
    input.send(value: 1)
    #expect(property.value == 1)
    #expect(optional.value == 1)
    input.sendCompleted()
    #expect(property.value == 1)
    #expect(Property(initial: 0, then: SignalProducer<Int, Never>([1, 2])).value == 2)
  }

  @Test("Y1, Y5: compositions of two properties that threads change end with the latest of both")
  func threads() {
    let (a, b) = (MutableProperty(0), MutableProperty(0))
    let sum = Property.combineLatest(a, b).map { $0 + $1 }
    let pairs = a.zip(with: b)
    onThreads(3) { index in
      for value in 1...300 {
        switch index {
        case 0: a.value = value
        case 1: b.value = value
        default: _ = (sum.value, pairs.value)
        }
      }
    }
    #expect(sum.value == 600)
    #expect(pairs.value == (300, 300))
  }

  @Test("Y10: a property of one's own type can be composed, observed and bound")
  func own() {
    final class Doubling: MutablePropertyProtocol, Sendable {
      private let store = MutableProperty(0)
      var value: Int {
        get { store.value }
        set { store.value = newValue * 2 }
      }
      var producer: SignalProducer<Int, Never> { store.producer }
      var signal: Signal<Int, Never> { store.signal }
      var lifetime: Lifetime { store.lifetime }
    }
    let own = Doubling()
    let library = MutableProperty(1)
    own <~ library
    #expect(own.value == 2)
    let both = Property.combineLatest(own, library).map { "\($0) \($1)" }
    let nested = library.flatMap(.latest) { _ in own.map { -$0 } }
    library.value = 5
    #expect(both.value == "10 5")
    #expect(nested.value == -10)
    let target = MutableProperty(0)
    target <~ own
    #expect(target.value == 10)
  }
}
