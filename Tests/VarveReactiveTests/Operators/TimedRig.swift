import Testing
import VarveReactive
import VarveTestRig

/// A failure for tests.
struct Problem: Error, Equatable, CustomStringConvertible {
  let description = "problem"
}

/// Operators exist on both, and do the same there (contract P3).
enum StreamKind: CaseIterable, Sendable {
  case signal, producer
}

/// A pipe, a clock that stands still, and what came out of an operator at which second.
struct TimedRig: Sendable {
  let scheduler = TestScheduler()
  let input: Signal<Int, Problem>.Observer
  let output: Signal<Int, Problem>
  let log = Box<[String]>([])

  init() { (output, input) = Signal<Int, Problem>.pipe() }

  /// Applies an operator to the pipe and notes its events.
  @discardableResult
  func watch<Value: Sendable, Failure>(
    _ kind: StreamKind,
    _ ofSignal: (Signal<Int, Problem>) -> Signal<Value, Failure>,
    _ ofProducer: (SignalProducer<Int, Problem>) -> SignalProducer<Value, Failure>
  ) -> (any Disposable)? {
    switch kind {
    case .signal: ofSignal(output).observe { note($0) }
    case .producer: ofProducer(SignalProducer(output)).start { note($0) }
    }
  }

  private func note<Value: Sendable, Failure>(_ event: Event<Value, Failure>) {
    log.append("\(scheduler.now.nanoseconds / 1_000_000) \(event)")
  }

  /// Moves the clock to a millisecond.
  func advance(to milliseconds: Int64) {
    scheduler.advance(to: SchedulerInstant(nanoseconds: milliseconds * 1_000_000))
  }

  /// Moves the clock, and sends.
  func send(_ values: Int..., at milliseconds: Int64) {
    advance(to: milliseconds)
    for value in values { input.send(value: value) }
  }
}
