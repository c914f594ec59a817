internal import VarveProbe
public import VarveReactive

// Work that is done once, either now or at the first start, and whose events are stored for all
// starts.

extension SignalProducer {
  /// Calls `startHandler` on `scheduler` once, now. Every start of the returned producer receives
  /// all events.
  ///
  /// - *Events*: those of the run, including its actual end.
  /// - *Memory*: all values, until the returned producer is released.
  /// - *Scheduling*: stored events, and those that arrive during the replay, on the thread that
  ///   starts; the others on the sender's thread.
  ///
  /// The work continues without observers. For work that can be stopped, use the connection that
  /// `replay()` returns.
  @preconcurrency
  public static func startEagerly(
    on scheduler: any Scheduler, file: String = #fileID, line: UInt = #line,
    _ startHandler: @escaping @Sendable (Signal<Value, Failure>.Observer, Lifetime) -> Void
  ) -> SignalProducer {
    let operation = Operation(
      "startEagerly(on: $, _:)", form: .function,
      [.scheduler(scheduler)], traits: [.hasEffects, .startsElsewhere])
    let work = StreamTitle(
      operation, of: [], place: Place(file: file, line: line), valueType: Value.self)
    let core = SubjectCore<Value, Failure>(
      StreamTitle(
        Operation("replay", traits: .replays, isTransparent: true), of: [work],
        valueType: Value.self), capacity: .max)
    SignalProducer(work, startHandler).start(on: scheduler).start(core.makeInput())
    return core.makeProducer()
  }

  /// Calls `startHandler` on `scheduler` once, at the first start of the returned producer. Every
  /// start receives all events.
  ///
  /// - *Events*: those of the run, including its actual end.
  /// - *Memory*: all values, until the producer and all its starts are released. Then the run is
  ///   interrupted.
  /// - *Scheduling*: stored events, and those that arrive during the replay, on the thread that
  ///   starts; the others on the sender's thread.
  @preconcurrency
  public static func startLazily(
    on scheduler: any Scheduler, file: String = #fileID, line: UInt = #line,
    _ startHandler: @escaping @Sendable (Signal<Value, Failure>.Observer, Lifetime) -> Void
  ) -> SignalProducer {
    let operation = Operation(
      "startLazily(on: $, _:)", form: .function,
      [.scheduler(scheduler)], traits: [.hasEffects, .startsElsewhere])
    let work = StreamTitle(
      operation, of: [], place: Place(file: file, line: line), valueType: Value.self)
    return SignalProducer(work, startHandler).start(on: scheduler).replayingLazily(
      upTo: .max,
      Operation("replayLazily()", traits: .replays, isTransparent: true),
      receiver: .title(work))
  }
}
