extension SignalProducer where Value == SchedulerInstant, Failure == Never {
  /// Returns a producer that sends the scheduler's time every `interval`, counted from its start.
  ///
  ///     timer(interval: 3, on: scheduler) ---t--t--t--t--
  ///
  /// - *Events*: it never ends by itself. Ticks that the scheduler missed are combined into one.
  /// - *Memory*: none.
  /// - *Scheduling*: `scheduler`.
  ///
  /// - Parameters:
  ///   - interval: the time from one tick to the next.
  ///   - scheduler: the scheduler that provides the clock.
  ///   - leeway: the delay of a tick that is acceptable if it saves energy; by default, a tenth of
  ///     the interval.
  ///   - file: the file in which the stream is created; its name, if it has no other.
  ///   - line: the line in `file`.
  @_disfavoredOverload
  public static func timer(
    interval: some TimeSpan, on scheduler: any TimedScheduler, leeway: Duration? = nil,
    file: String = #fileID, line: UInt = #line
  ) -> SignalProducer {
    let interval = interval.asDuration
    let kept = SchedulerReference(scheduler)
    return SignalProducer(
      .ticking(
        Operation(
          "timer(interval: $, on: $)", form: .source,
          [.duration(interval), .scheduler(scheduler)], traits: .hops),
        SourcePlace(file: file, line: UInt32(clamping: line)),
        every: interval, on: scheduler, leeway: leeway ?? interval / 10
      ) { observer in
        { if let now = kept.existing?.now { observer.send(value: now) } }
      })
  }
}

extension SignalProducer where Value == Int, Failure == Never {
  /// Returns a producer that counts from 0, sending one number every `interval`, counted from its
  /// start.
  ///
  ///     interval(3, on: scheduler) ---0--1--2--3--
  ///
  /// - *Events*: it never ends by itself. Ticks that the scheduler missed are combined into one.
  /// - *Memory*: the count.
  /// - *Scheduling*: `scheduler`.
  public static func interval(
    _ interval: some TimeSpan, on scheduler: any TimedScheduler, file: String = #fileID,
    line: UInt = #line
  ) -> SignalProducer {
    let interval = interval.asDuration
    return .sequence(
      0...,
      Operation(
        "interval($, on: $)", form: .source,
        [.duration(interval), .scheduler(scheduler)], traits: .hops),
      SourcePlace(file: file, line: UInt32(clamping: line)), every: interval, on: scheduler)
  }
}

extension SignalProducer where Failure == Never {
  /// Returns a producer that sends the elements of a sequence, one every `interval`, counted from
  /// its start.
  ///
  ///     interval([a, b], interval: 3, on: scheduler) ---a--b--|
  ///
  /// - *Events*: completes at the tick after the last element.
  /// - *Memory*: the sequence's iterator.
  /// - *Scheduling*: `scheduler`, which also advances the iterator.
  @preconcurrency
  public static func interval<Elements: Sequence & Sendable>(
    _ values: Elements, interval: some TimeSpan, on scheduler: any TimedScheduler,
    file: String = #fileID, line: UInt = #line
  ) -> SignalProducer where Elements.Element == Value {
    let interval = interval.asDuration
    return .sequence(
      values,
      Operation(
        "interval(_:, interval: $, on: $)", form: .source,
        [.duration(interval), .scheduler(scheduler)], traits: .hops),
      SourcePlace(file: file, line: UInt32(clamping: line)), every: interval, on: scheduler)
  }

  private static func sequence<Elements: Sequence & Sendable>(
    _ values: Elements, _ operation: Operation, _ place: SourcePlace, every interval: Duration,
    on scheduler: any TimedScheduler
  ) -> SignalProducer where Elements.Element == Value {
    SignalProducer(
      .ticking(operation, place, every: interval, on: scheduler, leeway: .zero) { observer in
        var iterator = values.makeIterator()
        return {
          if let value = iterator.next() {
            observer.send(value: value)
          } else {
            observer.sendCompleted()
          }
        }
      })
  }
}

extension Recipe where Failure == Never {
  /// Returns a recipe that calls the closure returned by `makeTick` at each tick of a timer, which
  /// is set at the start.
  fileprivate static func ticking(
    _ operation: Operation, _ place: SourcePlace, every interval: Duration,
    on scheduler: any TimedScheduler, leeway: Duration,
    _ makeTick: @escaping (Signal<Value, Failure>.Observer) -> () -> Void
  ) -> Recipe {
    precondition(interval > .zero, "An interval must be positive.")
    let kept = SchedulerReference(scheduler)
    // A deallocated test scheduler releases its timers, and with them their runs.
    return HandlerRecipe(operation, place: place, keepsInput: false) { observer, lifetime in
      guard let scheduler = kept.existing else { return }
      let ticks = Ticks(makeTick(observer))
      lifetime += scheduler.hop(at: scheduler.now + interval, every: interval, leeway: leeway) {
        ticks.tick()
      }
    }
  }
}

/// The action at each tick of a timer.
private final class Ticks: @unchecked Sendable {
  // Safety: the ticks of a timer do not overlap.
  let tick: () -> Void

  init(_ tick: @escaping () -> Void) { self.tick = tick }
}
