import Testing
import Varve
import VarveTesting

// example
extension SignalProducer where Value == String {
  /// Lines that say something, without those that say what the one before said.
  func statements() -> SignalProducer {
    composed(as: "statements()") {
      $0.filter { !$0.isEmpty }.skipRepeats()
    }
  }
}
// end

// example
extension StreamOperator where Output == [Input], OutputFailure == InputFailure {
  /// Runs of values that belong together, in arrays.
  static func runs(
    where belong: @escaping @Sendable (Input, Input) -> Bool
  ) -> StreamOperator {
    StreamOperator("runs(where:)", traits: .holds) { output, _ in
      var run: [Held<Input>] = []
      func sendRun() {
        guard !run.isEmpty else { return }
        output.send(value: run.map { $0.recall() })
        run = []
      }
      func dropRun() {
        for held in run { output.swallow(held, .ended) }
        run = []
      }
      return { event in
        switch event {
        case .value(let value):
          if let last = run.last, !belong(last.value, value) { sendRun() }
          run.append(Held(value))
        case .completed:
          sendRun()
          output.sendCompleted()
        case .failed(let failure):
          dropRun()
          output.send(error: failure)
        case .interrupted:
          dropRun()
          output.sendInterrupted()
        }
      }
    }
  }
}
// end

// example
extension Signal {
  func runs(where belong: @escaping @Sendable (Value, Value) -> Bool) -> Signal<[Value], Failure> {
    applying(.runs(where: belong))
  }
}

extension SignalProducer {
  func runs(
    where belong: @escaping @Sendable (Value, Value) -> Bool
  ) -> SignalProducer<[Value], Failure> { applying(.runs(where: belong)) }
}
// end

// example
extension StreamOperator
where Input: Sendable, Output == Input, OutputFailure == InputFailure {
  /// Each event on a scheduler.
  static func echoed(on scheduler: any Scheduler) -> StreamOperator {
    StreamOperator("echoed(on:)", .scheduler(scheduler)) { output, lifetime in
      { event in
        switch event {
        case .value(let value):
          let held = Held(value)
          lifetime += scheduler.schedule { output.send(value: held.recall()) }
        case .failed, .completed, .interrupted:
          lifetime += scheduler.schedule { output.send(event) }
        }
      }
    }
  }
}
// end

@Suite("Docs/WritingOperators.md") struct WritingOperatorsExamples {
  @Test("A composite has a name of its own")
  func composed() {
    let lines = SignalProducer<String, Never>(["", "a", "", "a", "b"]).named("lines")
    #expect(lines.statements().collect().waitForFirst() == .success(["a", "b"]))
    #expect(lines.statements().description == "lines.statements()")
  }

  @Test("An operator of its own gathers runs, and drops them on failure")
  func runs() {
    let numbers = SignalProducer<Int, TestFailure>([1, 2, 3, 10, 11, 5]).named("numbers")
    let runs = numbers.runs { $0 + 1 == $1 }
    #expect(runs.collect().waitForFirst() == .success([[1, 2, 3], [10, 11], [5]]))
    #expect(runs.description == "numbers.runs(where:)")
    let failing = numbers.concat(error: TestFailure()).runs { $0 + 1 == $1 }
    #expect(failing.materializeResults().collect().waitForFirst()?.get().count == 3)
  }

  @Test("What it schedules is cancelled with it")
  func echoed() {
    let scheduler = TestScheduler()
    let seen = MutableProperty<[Int]>([])
    let start = SignalProducer<Int, Never>([1, 2]).applying(.echoed(on: scheduler))
      .startWithValues { value in seen.modify { $0.append(value) } }
    #expect(seen.value == [])
    scheduler.advance()
    #expect(seen.value == [1, 2])
    start.dispose()
  }

  @Test("A loop of a hundred thousand rounds needs no stack")
  func loops() {
    let one = SignalProducer<Int, Never>(value: 1)
    // example
    let sum = one.repeat(100_000).reduce(0, +)
    // end
    #expect(sum.waitForFirst() == .success(100_000))
  }

  // example
  @Test func runsKeepTheLaws() throws {
    try expectLaws(
      of: OperatorUnderTest(
        "runs(where:)", inputs: [1, 2, 3],
        hot: { $0.runs { $0 == $1 } }, cold: { $0.runs { $0 == $1 } }))
  }
  // end
}
