import ReactiveSwiftCompatibility
import Testing

private final class Owner {
  var count = 0
  let name = MutableProperty("")
  let (lifetime, token) = Lifetime.make()
}

/// What lets go of what, as clients rely on it.
@Suite struct RetentionForms {
  @Test("P10: a stream that has ended holds no value")
  func values() {
    weak var weakly: Owner?
    do {
      let owner = Owner()
      weakly = owner
      let property = MutableProperty<Owner?>(nil)
      let (signal, observer) = Signal<Owner, Never>.pipe()
      property <~ signal.collect(count: 2).map { $0.last }
      observer.send(value: owner)
      observer.sendCompleted()
      property.value = nil
      SignalProducer(value: owner).start()
      SignalProducer([owner]).replayLazily(upTo: 1).start()
    }
    #expect(weakly == nil)
  }

  @Test("D5: what is bound to an owner ends with it")
  func owners() {
    let (signal, observer) = Signal<Int, Never>.pipe()
    var owner: Owner? = Owner()
    weak var weakly = owner
    BindingTarget(lifetime: owner!.lifetime, object: owner!, keyPath: \.count) <~ signal
    owner!.name <~ signal.map { "\($0)" }
    var isOver = false
    signal.take(during: owner!.lifetime).observeCompleted { isOver = true }
    observer.send(value: 4)
    #expect(owner!.count == 4)
    #expect(owner!.name.value == "4")
    owner = nil
    #expect(weakly == nil)
    #expect(isOver)
  }

  @Test("S4: what nobody holds or observes goes away")
  func unobserved() {
    let (signal, observer) = Signal<Int, Never>.pipe()
    let base = MutableProperty(1)
    weak var mapped: Signal<Int, Never>?
    weak var view: Property<Int>?
    weak var action: Action<Int, Int, Never>?
    do {
      let own = signal.map { $0 + 1 }
      mapped = own
      let property = base.map { $0 + 1 }
      view = property
      property.signal.observeValues { _ in }
      let work = Action<Int, Int, Never> { SignalProducer(value: $0) }
      action = work
      work <~ signal
      observer.send(value: 1)
    }
    #expect(mapped == nil)
    #expect(view == nil)
    #expect(action == nil)
  }

  @Test("S4: an observer that is dropped interrupts")
  func droppedObservers() {
    var log: [String] = []
    SignalProducer<Int, TestError> { _, _ in }.start { log.append("\($0)") }
    SignalProducer<Int, TestError> { observer, _ in observer.send(value: 1) }
      .start { log.append("\($0)") }
    Signal<Int, Never> { _, lifetime in lifetime.observeEnded { log.append("ended") } }
      .observe { log.append("\($0)") }
    #expect(log == ["INTERRUPTED", "VALUE 1", "INTERRUPTED", "ended", "INTERRUPTED"])
  }
}
