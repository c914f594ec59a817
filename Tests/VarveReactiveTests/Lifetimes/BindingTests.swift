import Testing
import VarveReactive
import VarveTestRig

@Suite struct BindingTests {
  private final class Label: Sendable {
    let texts = Box<[String]>([])
    private let token = Lifetime.Token()
    var text: BindingTarget<String> {
      BindingTarget(lifetime: Lifetime(token)) { [weak self] in self?.texts.append($0) }
    }
  }

  @Test("D5: a target gets nothing more when its owner goes, and does not keep it alive")
  func owner() {
    let (source, input) = Signal<String, Never>.pipe()
    var label: Label? = Label()
    let texts = label?.texts
    weak let reference = label
    let binding = label.map { $0.text <~ source }
    input.send(value: "a")
    #expect(reference != nil)
    label = nil
    #expect(reference == nil)
    input.send(value: "b")
    #expect(texts?.value == ["a"])
    #expect(binding??.isDisposed == true)
  }

  @Test("D5: what is on its way to a target on a scheduler does not arrive after its owner")
  func ownerOnScheduler() {
    final class Field: @unchecked Sendable {
      // Safety: reached on the test's thread alone.
      var number = 0
    }
    let scheduler = TestScheduler()
    let (source, input) = Signal<Int, Never>.pipe()
    let numbers = Box<[Int]>([])
    let field = Field()
    var token: Lifetime.Token? = Lifetime.Token()
    let lifetime = Lifetime(token!)
    let target = BindingTarget<Int>(on: scheduler, lifetime: lifetime) { numbers.append($0) }
    target <~ source
    BindingTarget(on: scheduler, lifetime: lifetime, object: field, keyPath: \.number) <~ source
    input.send(value: 1)
    scheduler.advance()
    input.send(value: 2)
    token = nil
    scheduler.advance()
    #expect(numbers.value == [1])
    #expect(field.number == 1)
  }

  @Test("D5: binding to a target whose owner has gone starts nothing")
  func goneOwner() {
    let started = Box(false)
    var label: Label? = Label()
    guard let target = label?.text else { return #expect(Bool(false)) }
    label = nil
    let binding =
      target
      <~ SignalProducer<String, Never> {
        started.set(true); return "a"
      }
    #expect(binding?.isDisposed == true)
    #expect(!started.value)
  }

  @Test("D6: a binding ends with its disposable, and lets go of the source")
  func disposable() {
    let label = Label()
    let stopped = Box(false)
    let inputs = Box<Signal<String, Never>.Observer?>(nil)
    let binding =
      label.text
      <~ SignalProducer<String, Never> { observer, lifetime in
        inputs.set(observer)
        lifetime.observeEnded { stopped.set(true) }
      }
    inputs.value?.send(value: "a")
    binding?.dispose()
    inputs.value?.send(value: "b")
    #expect(label.texts.value == ["a"])
    #expect(stopped.value)
  }

  @Test("D6: a source's end leaves the target usable, by this binding's successors and others")
  func sourceEnds() {
    let label = Label()
    let (first, firstInput) = Signal<String, Never>.pipe()
    let (second, secondInput) = Signal<String, Never>.pipe()
    label.text <~ first
    label.text <~ second
    firstInput.send(value: "a")
    firstInput.sendCompleted()
    secondInput.send(value: "b")
    secondInput.sendInterrupted()
    label.text <~ SignalProducer(value: "c")
    #expect(label.texts.value == ["a", "b", "c"])
  }

  @Test("D6: the end of a property's source leaves the property usable")
  func property() {
    let property = MutableProperty(0)
    let (source, input) = Signal<Int, Never>.pipe()
    property <~ source
    input.send(value: 1)
    input.sendCompleted()
    #expect(property.value == 1)
    property.value = 2
    #expect(property.value == 2)
  }
}
