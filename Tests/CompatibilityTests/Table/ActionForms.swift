import Foundation
import ReactiveSwiftCompatibility
import Testing

@Suite struct ActionForms {
  @Test("A1: work is done once for each start, and a start while it runs fails with `disabled`")
  func runs() {
    var count = 0
    let (gate, open) = Signal<(), Never>.pipe()
    let action = Action<Int, String, TestError> { input in
      count += 1
      return SignalProducer { observer, lifetime in
        observer.send(value: "got \(input)")
        lifetime += gate.observeValues { observer.sendCompleted() }
      }
    }
    let producer = action.apply(7)
    #expect(count == 0)
    var events: [Signal<String, ActionError<TestError>>.Event] = []
    producer.start { events.append($0) }
    #expect(count == 1)
    #expect(action.isExecuting.value)
    #expect(!action.isEnabled.value)
    var refused: [ActionError<TestError>] = []
    action.apply(8).startWithFailed { refused.append($0) }
    #expect(refused == [.disabled])
    #expect(count == 1)
    open.send(value: ())
    #expect(events == [.value("got 7"), .completed])
    #expect(!action.isExecuting.value)
    producer.start()
    #expect(count == 2)
  }

  @Test("A1: concurrent runs are opt-in")
  func concurrent() {
    var inputs: [Signal<Int, Never>.Observer] = []
    let action = Action<Void, Int, Never>(allowsConcurrentExecution: true) {
      SignalProducer { observer, _ in inputs.append(observer) }
    }
    var executing: [Bool] = []
    action.isExecuting.producer.startWithValues { executing.append($0) }
    var sum = 0
    action.values.observeValues { sum += $0 }
    action.apply().start()
    action.apply().start()
    #expect(action.isEnabled.value)
    for (index, input) in inputs.enumerated() { input.send(value: index + 1) }
    inputs[0].sendCompleted()
    #expect(action.isExecuting.value)
    inputs[1].sendCompleted()
    #expect(executing == [false, true, false])
    #expect(sum == 3)
  }

  @Test("A2: values, errors, events, completion and refusals of all runs are told")
  func reports() {
    let isEnabled = MutableProperty(true)
    let action = Action<Int, Int, TestError>(enabledIf: isEnabled) { input in
      input < 0 ? SignalProducer(error: .first) : SignalProducer([input, input + 1])
    }
    var log: [String] = []
    action.values.observeValues { log.append("value \($0)") }
    action.errors.observeValues { log.append("error \($0)") }
    action.events.observeValues { log.append("event \($0)") }
    action.completed.observeValues { log.append("completed") }
    action.disabledErrors.observeValues { log.append("disabled") }
    action.isExecuting.signal.observeValues { log.append("executing \($0)") }
    action.isEnabled.signal.observeValues { log.append("enabled \($0)") }
    action.apply(1).start()
    action.apply(-1).start()
    isEnabled.value = false
    action.apply(2).start()
    #expect(
      log == [
        "executing true", "enabled false", "value 1", "event VALUE 1", "value 2", "event VALUE 2",
        "executing false", "enabled true", "completed", "event COMPLETED",
        "executing true", "enabled false", "executing false", "enabled true", "error first",
        "event FAILED first", "enabled false", "disabled",
      ])
  }

  @Test("A3: any end makes the action available again, disposal included")
  func ends() {
    let action = Action<Bool, Int, TestError> { fails in
      fails ? SignalProducer(error: .first) : .never
    }
    let disposable = action.apply(false).start()
    #expect(action.isExecuting.value)
    disposable.dispose()
    #expect(!action.isExecuting.value)
    #expect(action.isEnabled.value)
    var failures: [ActionError<TestError>] = []
    action.apply(true).startWithFailed { failures.append($0) }
    action.apply(true).startWithFailed { error in
      switch error {
      case .disabled: Issue.record("disabled")
      case let .producerFailed(inner): #expect(inner == .first)
      }
    }
    #expect(failures == [.producerFailed(.first)])
    #expect(action.isEnabled.value)
    action.apply(false).take(during: .empty).start()
    #expect(!action.isExecuting.value)
    action.apply(false).startWithSignal { _, interruption in interruption.dispose() }
    #expect(!action.isExecuting.value)
  }

  @Test("A2: an action depends on a state, and its work gets the value that was found good")
  func states() {
    let state = MutableProperty(1)
    let action = Action<String, String, Never>(
      state: state, enabledIf: { $0 > 0 },
      execute: { number, text in
        SignalProducer(value: "\(text)\(number)")
      })
    var values: [String] = []
    action.values.observeValues { values.append($0) }
    action.apply("a").start()
    state.value = 0
    #expect(!action.isEnabled.value)
    action.apply("b").start()
    state.value = 2
    action.apply("c").start()
    #expect(values == ["a1", "c2"])
    let always = Action<(), Int, Never>(state: state) { value in SignalProducer(value: value) }
    #expect(always.apply().single() == .success(2))
    let withInput = Action<Int, Int, Never>(state: state) { value, input in
      SignalProducer(value: value + input)
    }
    #expect(withInput.apply(10).single() == .success(12))
  }

  @Test("A2: an action depends on an optional, or on a validating property")
  func unwrapping() {
    let user = MutableProperty<String?>(nil)
    let greet = Action<Void, String, Never>(unwrapping: user) { name in
      SignalProducer(value: "hello \(name)")
    }
    let say = Action<String, String, Never>(unwrapping: user) { name, text in
      SignalProducer(value: "\(text) \(name)")
    }
    #expect(!greet.isEnabled.value)
    #expect(greet.apply().first() == .failure(.disabled))
    user.value = "Ann"
    #expect(greet.apply().first() == .success("hello Ann"))
    #expect(say.apply("bye").first() == .success("bye Ann"))

    let age = ValidatingProperty<Int, TestError>(-1) { $0 < 0 ? .invalid(.first) : .valid }
    let submit = Action<Void, Int, TestError>(validated: age) { SignalProducer(value: $0) }
    let add = Action<Int, Int, TestError>(validated: age) { SignalProducer(value: $0 + $1) }
    #expect(!submit.isEnabled.value)
    age.value = 5
    #expect(submit.isEnabled.value)
    #expect(submit.apply().first() == .success(5))
    #expect(add.apply(2).first() == .success(7))
    age.value = -7
    #expect(!submit.isEnabled.value)
  }

  @Test("A2: an action's own state may drive its property, without a deadlock")
  func feedback() {
    let isEnabled = MutableProperty(true)
    let action = Action<Int, Int, Never>(enabledIf: isEnabled) { _ in .never }
    isEnabled <~ action.isExecuting.negate()
    let disposable = action.apply(0).start()
    #expect(!isEnabled.value)
    #expect(!action.isEnabled.value)
    disposable.dispose()
    #expect(isEnabled.value)
    #expect(action.isEnabled.value)

    let condition = MutableProperty(1)
    let other = Action<Void, Void, Never>(state: condition, enabledIf: { $0 == 0 }) { _, _ in .empty
    }
    var count = 0
    other.isExecuting.producer.startWithValues { _ in
      condition.value = 10
      count += 1
    }
    #expect(count == 1)
  }

  @Test("A3: an observer of completion may start the next run")
  func again() {
    let action = Action<Int, Int, Never> { SignalProducer(value: $0) }
    var values: [Int] = []
    action.values.observeValues { values.append($0) }
    var next = 1
    action.completed.observeValues {
      next += 1
      if next < 4 { action.apply(next).start() }
    }
    action.apply(1).start()
    #expect(values == [1, 2, 3])
  }

  @Test("A3: an action ends its signals when it goes away, and nothing but its runs keeps it")
  func life() {
    var action: Action<Int, Int, Never>? = Action { SignalProducer(value: $0) }
    weak var weakly = action
    var log: [String] = []
    action?.values.observeCompleted { log.append("values") }
    action?.disabledErrors.observeCompleted { log.append("disabledErrors") }
    action?.isExecuting.signal.observeCompleted { log.append("isExecuting") }
    action?.lifetime.observeEnded { log.append("lifetime") }
    let (signal, input) = Signal<Int, Never>.pipe()
    action! <~ signal
    input.send(value: 1)
    action?.apply(1).start()
    action = nil
    #expect(weakly == nil)
    #expect(Set(log) == ["values", "disabledErrors", "isExecuting", "lifetime"])
    input.send(value: 2)
  }

  @Test("D5: an action is a target: each bound value starts it")
  func target() {
    let action = Action<Int, Int, Never> { SignalProducer(value: $0 * 2) }
    var values: [Int] = []
    action.values.observeValues { values.append($0) }
    action <~ SignalProducer([1, 2])
    let (signal, input) = Signal<Int, Never>.pipe()
    let binding: Disposable? = action <~ signal
    input.send(value: 3)
    binding?.dispose()
    input.send(value: 4)
    #expect(values == [2, 4, 6])
    action.bindingTarget.action(5)
    #expect(values.last == 10)
  }
}
