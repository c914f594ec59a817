import Varve

/// Never moved, and there to the end: a scheduler that goes gives up what waits for its turn.
private let idle = TestScheduler()

/// One stream for each reason why nothing arrives.
@Sendable func silence() {
  let (numbers, input) = Signal<Int, Never>.pipe(named: "numbers")
  let (never, neverInput) = Signal<Int, Never>.pipe(named: "never sent")

  // Its turn never comes.
  SignalProducer<Int, Never>.never.concat(SignalProducer(value: 1).named("never started")).start()
  numbers.filter { $0 > 1_000 }.named("filtered out").observeValues { _ in }
  Signal.combineLatest(numbers, numbers.map { $0 }, never).map(\.0).named("waiting")
    .observeValues { _ in }
  numbers.observe(on: idle).named("queued").observeValues { _ in }
  let observation = numbers.skip(first: 1).named("disposed").observeValues { _ in }
  let (stop, stopInput) = Signal<Int, Never>.pipe(named: "stop")
  stop.observeValues { _ in observation?.dispose() }
  never.map { $0 }.named("source silent").observeValues { _ in }
  SignalProducer<Int, Never> { _, _ in }.named("started, silent").start()
  SignalProducer<Int, Never>.empty.named("ended empty").start()
  SignalProducer(value: 1).start(on: idle).map { $0 }.named("not begun").start()

  input.send(value: 1)
  stopInput.send(value: 0)
  for value in 2...12 { input.send(value: value) }
  withExtendedLifetime(neverInput) {}
}
