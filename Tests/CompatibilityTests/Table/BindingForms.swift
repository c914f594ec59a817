import Dispatch
import Foundation
import ReactiveSwiftCompatibility
import Testing

/// A client's own type with bindable parts.
private final class Label: NSObject {
  var text = ""
  var isHidden = false
  let (lifetime, token) = Lifetime.make()
}

extension Label: ReactiveExtensionsProvider {}

extension Reactive where Base: Label {
  fileprivate var text: BindingTarget<String> {
    BindingTarget(lifetime: base.lifetime) { [weak base] in base?.text = $0 }
  }

  fileprivate var isHidden: BindingTarget<Bool> {
    BindingTarget(lifetime: base.lifetime, object: base, keyPath: \.isHidden)
  }

  fileprivate var textOnQueue: BindingTarget<String> {
    BindingTarget(
      on: ImmediateScheduler(), lifetime: base.lifetime, object: base, keyPath: \.text)
  }
}

extension Reactive where Base == Label.Type {
  fileprivate static var kind: String { "label" }
}

/// A client's own target.
private struct Printer: BindingTargetProvider {
  let printed = MutableProperty<[String]>([])
  var bindingTarget: BindingTarget<String> {
    BindingTarget(on: ImmediateScheduler(), lifetime: printed.lifetime) { [printed] text in
      printed.modify { $0.append(text) }
    }
  }
}

/// A client's own source.
private struct Constant: BindingSource {
  let text: String
  var producer: SignalProducer<String, Never> { SignalProducer(value: text) }
}

@Suite struct BindingForms {
  @Test("D5: a target stops receiving when its owner goes, and does not keep it alive")
  func owner() {
    let (signal, input) = Signal<String, Never>.pipe()
    var label: Label? = Label()
    weak var weakly = label
    let binding = label!.reactive.text <~ signal
    label!.reactive.isHidden <~ signal.map { $0.isEmpty }
    input.send(value: "a")
    #expect(label?.text == "a")
    label = nil
    #expect(weakly == nil)
    #expect(binding?.isDisposed == true)
    input.send(value: "b")
    let lost = BindingTarget<Int>(lifetime: .empty) { _ in Issue.record("bound to nothing") }
    #expect((lost <~ SignalProducer(value: 1))?.isDisposed == true)
  }

  @Test("D6: a binding ends with its source or its disposable, and the target stays usable")
  func ends() {
    let property = MutableProperty(0)
    let (signal, input) = Signal<Int, Never>.pipe()
    let binding = property <~ signal
    input.send(value: 1)
    input.sendCompleted()
    #expect(property.value == 1)
    #expect(binding != nil)
    let (other, otherInput) = Signal<Int, Never>.pipe()
    let second = property <~ other
    otherInput.send(value: 2)
    second?.dispose()
    otherInput.send(value: 3)
    #expect(property.value == 2)
    property <~ SignalProducer(value: 4)
    #expect(property.value == 4)
    property.value = 5
    #expect(property.value == 5)
  }

  @Test("D6: every kind of source can be bound to every kind of target")
  func kinds() {
    let property = MutableProperty("")
    let optional = MutableProperty<String?>(nil)
    let label = Label()
    let printer = Printer()
    let source = MutableProperty("s")
    property <~ source
    optional <~ source
    optional <~ source.map(Optional.some)
    label.reactive.text <~ source
    label.reactive.textOnQueue <~ source.producer
    printer <~ source
    printer <~ Constant(text: "constant")
    printer <~ Property(value: "property")
    source.value = "t"
    #expect(property.value == "t")
    #expect(optional.value == "t")
    #expect(label.text == "t")
    #expect(printer.printed.value == ["s", "constant", "property", "t"])
    let maybe: MutableProperty<String>? = property
    maybe <~ SignalProducer(value: "maybe")
    #expect(property.value == "maybe")
    let (signal, observer) = Signal<String, Never>.pipe()
    var seen: [String] = []
    signal.observeValues { seen.append($0) }
    observer <~ source
    source.value = "u"
    #expect(seen == ["t", "u"])
    #expect(Label.reactive.self == Reactive<Label>.self)
    #expect(label.reactive.base === label)
    let target = BindingTarget<Int>(lifetime: label.lifetime) { label.text = "\($0)" }
    target.action(9)
    #expect(label.text == "9")
    #expect(!target.bindingTarget.lifetime.hasEnded)
  }

  @Test("D5: a target on a scheduler takes its values there")
  func scheduler() {
    let scheduler = TestScheduler()
    let (lifetime, token) = Lifetime.make()
    var values: [Int] = []
    let target = BindingTarget<Int>(on: scheduler, lifetime: lifetime) { values.append($0) }
    target <~ SignalProducer([1, 2])
    #expect(values.isEmpty)
    scheduler.advance()
    #expect(values == [1, 2])
    token.dispose()
  }
}
