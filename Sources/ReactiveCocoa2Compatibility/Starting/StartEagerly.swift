internal import VarveProbe
public import VarveReactive

// Work that is done once, now or when it is first asked for, and whose events are kept for all.

extension SignalProducer {
  /// Does `startHandler` on `scheduler`, now and once; every start of the producer that it returns
  /// gets all events.
  ///
  /// - *Events*: those of the one run, and its real end.
  /// - *Memory*: all values, until the producer that it returns has gone.
  /// - *Scheduling*: what is kept, and what comes meanwhile, on the thread that starts, the rest on the
  ///   sender's.
  ///
  /// The work goes on when nobody is interested in it any more. `replay()` makes a connection of a
  /// producer, which can be stopped.
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

  /// Does `startHandler` on `scheduler` once, when the producer that it returns is first started;
  /// every start gets all events.
  ///
  /// - *Events*: those of the one run, and its real end.
  /// - *Memory*: all values, until neither the producer nor a start of it is left. Then the run is
  ///   interrupted.
  /// - *Scheduling*: what is kept, and what comes meanwhile, on the thread that starts, the rest on the
  ///   sender's.
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
