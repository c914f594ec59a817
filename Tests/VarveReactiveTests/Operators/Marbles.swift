import VarveReactive
import VarveTestRig

/// What an operator makes of some values and an end, in one line: the values, then `|` for
/// completion, `x` for a failure, `!` for an interruption; nothing while it has not ended.
func marbles<Input: Sendable, Output, OutputFailure>(
  _ inputs: [Input], _ ending: Ending? = .completed,
  _ apply: (SignalProducer<Input, TestFailure>) -> SignalProducer<Output, OutputFailure>
) -> String {
  let source = SignalProducer<Input, TestFailure> { observer, lifetime in
    for input in inputs { observer.send(value: input) }
    switch ending {
    case .completed: observer.sendCompleted()
    case .failed: observer.send(error: TestFailure())
    case .interrupted: observer.sendInterrupted()
    case nil: lifetime.observeEnded { withExtendedLifetime(observer) {} }
    }
  }
  return marbles(apply(source))
}

/// The events of a producer that sends them all when it is started.
func marbles<Value, Failure>(_ producer: SignalProducer<Value, Failure>) -> String {
  let seen = Box<[String]>([])
  let start = producer.start { event in
    switch event {
    case .value(let value): seen.append("\(value)")
    case .failed: seen.append("x")
    case .completed: seen.append("|")
    case .interrupted: seen.append("!")
    }
  }
  let text = seen.value.joined(separator: " ")
  start.dispose()
  return text
}
