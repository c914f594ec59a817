import Foundation
import Testing
import VarveReactive
import VarveTestRig
import VarveTesting

@Suite struct ActionTests {
  private struct Trouble: Error, Equatable {}

  @Test("A1: of many threads that start at once, one runs, and the others are refused")
  func oneAtATime() {
    let (running, most, runs) = (Box(0), Box(0), Box(0))
    let action = Action<Int, Int, Never> { input in
      SignalProducer { observer, _ in
        let now = running.change { running in
          running += 1
          return running
        }
        most.change { $0 = max($0, now) }
        runs.change { $0 += 1 }
        relax()
        running.change { $0 -= 1 }
        observer.send(value: input)
        observer.sendCompleted()
      }
    }
    let (refused, told, completions) = (Box(0), Box(0), Box(0))
    action.disabledErrors.observeValues { told.change { $0 += 1 } }
    action.completed.observeValues { completions.change { $0 += 1 } }
    onThreads(4) { index in
      for _ in 0..<200 {
        action.apply(index).startWithFailed { _ in refused.change { $0 += 1 } }
      }
    }
    #expect(most.value == 1)
    #expect(runs.value + refused.value == 800)
    #expect(told.value == refused.value)
    #expect(completions.value == runs.value)
    #expect(!action.isExecuting.value)
    #expect(action.isEnabled.value)
  }

  @Test("A1: runs overlap where that is allowed, and `isExecuting` lasts until the last ends")
  func concurrent() {
    let inputs = Box<[Signal<Int, Never>.Observer]>([])
    let action = Action<Void, Int, Never>(allowsConcurrentExecution: true) {
      SignalProducer { observer, _ in inputs.append(observer) }
    }
    let executing = Box<[Bool]>([])
    action.isExecuting.producer.startWithValues { executing.append($0) }
    for _ in 1...3 { action.apply().start() }
    #expect(action.isEnabled.value)
    for input in inputs.value { input.sendCompleted() }
    #expect(executing.value == [false, true, false])
  }

  @Test("A2: `executions` sends a signal for each run, before its work begins")
  func executions() {
    let action = Action<Int, Int, TestFailure> { input in
      input < 0 ? SignalProducer(error: TestFailure()) : SignalProducer([input, input * 10])
    }
    let seen = Box<[String]>([])
    let observation = action.executions.observeValues { execution in
      seen.append(action.isExecuting.value ? "run" : "too early")
      execution.observe { seen.append("\($0)") }
    }
    action.apply(1).start()
    action.apply(-1).start()
    observation?.dispose()
    action.apply(2).start()
    #expect(
      seen.value == [
        "run", "VALUE 1", "VALUE 10", "COMPLETED", "run", "FAILED \(TestFailure())",
      ])
    #expect(action.executions.description == "\(action).executions")
  }

  @Test("A2: of overlapping runs each has its signal, and a refused start has none")
  func overlappingExecutions() {
    let inputs = Box<[Signal<Int, Never>.Observer]>([])
    let work = SignalProducer<Int, Never> { observer, _ in inputs.append(observer) }
    let isAllowed = MutableProperty(true)
    let action = Action<Void, Int, Never>(enabledIf: isAllowed, allowsConcurrentExecution: true) {
      work
    }
    let seen = Box<[String]>([])
    let count = Box(0)
    action.executions.observeValues { execution in
      let number = count.change {
        $0 += 1
        return $0
      }
      execution.observe { seen.append("\(number) \($0)") }
      // A start in the middle of the announcement is announced at once.
      if number == 1 { action.apply().start() }
    }
    let first = action.apply().start()
    isAllowed.value = false
    action.apply().start()
    #expect(count.value == 2)
    // The inner start was the first whose work began.
    inputs.value[0].send(value: 5)
    inputs.value[1].send(value: 7)
    first.dispose()
    inputs.value[0].sendCompleted()
    #expect(seen.value == ["2 VALUE 5", "1 VALUE 7", "1 INTERRUPTED", "2 COMPLETED"])
  }

  @Test("A2: `executions` ends with the action, which keeps no signal of a run")
  func endOfExecutions() {
    let isOver = Box(false)
    weak var kept: Signal<Int, Never>?
    do {
      let action = Action<Int, Int, Never> { SignalProducer(value: $0) }
      let held = Box<Signal<Int, Never>?>(nil)
      action.executions.observeCompleted { isOver.set(true) }
      action.executions.take(first: 1).observeValues { held.set($0) }
      action.apply(1).start()
      kept = held.value
      #expect(kept != nil)
    }
    #expect(isOver.value)
    #expect(kept == nil)
  }

  @Test("Y2: who observes a property between a change and its delivery gets the change once")
  func observedBetween() {
    let inputs = Box<[Signal<Void, Never>.Observer]>([])
    let action = Action<Void, Void, Never> {
      SignalProducer { observer, _ in inputs.append(observer) }
    }
    let seen = Box<[Bool]>([])
    action.isExecuting.signal.take(first: 1).observeValues { _ in
      // Both have changed by now, and this one is not delivered yet.
      #expect(!action.isEnabled.value)
      action.isEnabled.producer.startWithValues { seen.append($0) }
    }
    action.apply().start()
    #expect(seen.value == [false])
    inputs.value[0].sendCompleted()
    #expect(seen.value == [false, true])
  }

  @Test("A1: a start while the property says no does no work")
  func disabled() {
    let isOnline = MutableProperty(false)
    let runs = Box(0)
    let action = Action<Void, Void, Never>(enabledIf: isOnline) {
      runs.change { $0 += 1 }
      return .empty
    }
    #expect(action.apply().waitForEnd() == .failure(.disabled))
    #expect(runs.value == 0)
    isOnline.value = true
    #expect(action.apply().waitForEnd() == .success)
    // Also in the middle of the delivery that says so.
    let inside = Box<[Bool]>([])
    isOnline.signal.observeValues { isNowOnline in
      guard isNowOnline else { return }
      isOnline.value = false
      inside.append(action.apply().waitForEnd() == .failure(.disabled))
    }
    isOnline.value = false
    isOnline.value = true
    #expect(inside.value == [true])
  }

  @Test("A2: every run is told, by signals and by properties, in order")
  func told() {
    let action = Action<Int, Int, Trouble> { input in
      SignalProducer([input, input + 1]).concat(
        input < 0 ? SignalProducer(error: Trouble()) : .empty)
    }
    let log = Box<[String]>([])
    action.events.observeValues { log.append("\($0)") }
    action.values.observeValues { log.append("value \($0)") }
    action.errors.observeValues { _ in log.append("error") }
    action.apply(1).start()
    action.apply(-9).start()
    #expect(
      log.value == [
        "value 1", "VALUE 1", "value 2", "VALUE 2", "COMPLETED", "value -9", "VALUE -9",
        "value -8", "VALUE -8", "error", "FAILED Trouble()",
      ])
  }

  @Test("A3: whoever starts is told of `producerFailed`, and the action is available again")
  func failure() {
    let action = Action<Void, Void, Trouble> { SignalProducer(error: Trouble()) }
    for _ in 1...2 { #expect(action.apply().waitForEnd() == .failure(.producerFailed(Trouble()))) }
    #expect(action.isEnabled.value)
  }

  @Test("A3: disposal stops the work, is told as interruption, and makes the action available")
  func disposal() {
    let isStopped = Box(false)
    let action = Action<Void, Int, Never> {
      SignalProducer { observer, lifetime in
        lifetime.observeEnded {
          _ = observer
          isStopped.set(true)
        }
      }
    }
    let events = Box<[String]>([])
    action.events.observeValues { events.append("\($0)") }
    let run = action.apply().start()
    #expect(action.isExecuting.value)
    run.dispose()
    #expect(isStopped.value)
    #expect(!action.isExecuting.value)
    #expect(events.value == ["INTERRUPTED"])
    #expect(action.isEnabled.value)
  }

  @Test("A3: runs that are started and disposed of on many threads leave the action available")
  func disposals() {
    let action = Action<Void, Int, Never>(allowsConcurrentExecution: true) { .never }
    onThreads(4) { _ in
      for _ in 0..<100 {
        let run = action.apply().start()
        relax()
        run.dispose()
      }
    }
    #expect(!action.isExecuting.value)
    #expect(action.isEnabled.value)
  }

  @Test("A2: observers of one action's state may drive another's, on several threads")
  func crossed() {
    let (first, second) = (MutableProperty(true), MutableProperty(true))
    let one = Action<Void, Void, Never>(enabledIf: first) { .empty }
    let other = Action<Void, Void, Never>(enabledIf: second) { .empty }
    second <~ one.isExecuting.negate()
    first <~ other.isExecuting.negate()
    onThreads(2) { index in
      for _ in 0..<200 { (index == 0 ? one : other).apply().start() }
    }
    #expect(!one.isExecuting.value)
    #expect(!other.isExecuting.value)
    #expect(first.value)
    #expect(second.value)
    #expect(one.isEnabled.value)
  }

  @Test("S4: an action that nobody holds goes, though its applications were told apart")
  func released() throws {
    try expectNoLeaks {
      let action = Action<Int, Int, Never> { SignalProducer(value: $0) }
      action.apply(1).startWithSignal { _, _ in }
      action.apply(2).lift { $0.map { $0 + 1 } }.start()
    }
  }

  @Test("T3: however often an action is applied, its applications are one stream")
  func oneStream() {
    let action = Action<Int, Int, Never>(named: "once") { SignalProducer(value: $0) }
    let before = liveStreams().count { $0 == "once.apply(_:)" }
    let kept = (1...3).map { input in
      action.apply(input).startWithSignal { signal, _ in signal }
    }
    #expect(liveStreams().count { $0 == "once.apply(_:)" } == before + 1)
    withExtendedLifetime(kept) {}
  }

  @Test("N1: an action and its streams have names")
  func names() {
    let action = Action<Int, Int, Never>(named: "save") { SignalProducer(value: $0) }
    #expect(action.description == "save")
    #expect(action.values.description == "save.values")
    #expect(action.isExecuting.description == "save.isExecuting")
    #expect(action.apply(1).description == "save.apply(_:)")
    let nameless = Action<Int, Int, Never> { SignalProducer(value: $0) }
    #expect(nameless.description.hasPrefix("action@ActionTests.swift:"))
  }
}

extension Result where Success == Void, Failure: Equatable {
  fileprivate static var success: Result { .success(()) }

  fileprivate static func == (left: Result, right: Result) -> Bool {
    switch (left, right) {
    case (.success, .success): true
    case (.failure(let left), .failure(let right)): left == right
    case (.success, .failure), (.failure, .success): false
    }
  }
}
