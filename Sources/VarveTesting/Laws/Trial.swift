internal import VarveProbe
package import VarveReactive

/// One application of an operator to a source, with observers, under the control of a law.
///
/// A hot trial has one input and a given number of observers of the resulting signal. A cold one
/// has a given number of starts of the resulting producer, each with its own input. Values are sent
/// to all inputs.
package struct Trial {
  /// The identity of the resulting stream, which retains neither the stream nor its source.
  package let stream: StreamReference
  /// The events that each observer received.
  let transcripts: [Transcript]
  /// Probes of the objects that the observers and the source retain, which are to be released after
  /// the end.
  fileprivate(set) var probes: [WeakProbe] = []
  /// A probe of the object that the start handler of a cold trial's source captured.
  package fileprivate(set) var recipeProbe: WeakProbe?
  fileprivate let sendInput: (Int) -> Void
  fileprivate let endInput: (Ending) -> Void
  fileprivate let disposeAll: () -> Void
  /// Releases the signal, so that only its observers keep it alive.
  let release: () -> Void
  /// The numbers of sources that were started and that have been released.
  let sources: () -> (started: Int, ended: Int)
  fileprivate let scheduler: TestScheduler?

  var name: String { NameRendering.name(of: stream) }

  /// The events that the first observer received.
  package var events: [String] { transcripts[0].events }

  /// Sends the input value with this index.
  package func send(_ index: Int) {
    expecting {
      sendInput(index)
      scheduler?.advance(by: .seconds(3600))
    }
  }

  /// Ends the input.
  package func end(_ ending: Ending) {
    expecting {
      endInput(ending)
      // A failure is not delayed.
      if ending == .completed { scheduler?.advance(by: .seconds(3600)) }
      scheduler?.advance()
    }
  }

  /// Disposes of the observations or the starts.
  func dispose() {
    expecting {
      disposeAll()
      scheduler?.advance()
    }
  }

  /// Ends the inputs during a delivery.
  func endInside(_ ending: Ending) { endInput(ending) }

  /// Disposes of the observations or the starts during a delivery.
  func disposeInside() { disposeAll() }

  private func expecting(_ body: @escaping () -> Void) {
    let nested = transcripts.reduce(body) { body, transcript in
      { transcript.expecting(body) }
    }
    nested()
  }
}

extension Trial {
  /// Applies an operator to a signal.
  static func hot<Input: Sendable, InputFailure: Error, Output, OutputFailure>(
    _ inputs: [Input], failure: InputFailure?, observers: Int, timed: Bool,
    _ apply: (Signal<Input, InputFailure>, TestScheduler) -> Signal<Output, OutputFailure>
  ) -> Trial {
    let scheduler = TestScheduler()
    let input = Lock<Signal<Input, InputFailure>.Observer?>(nil)
    let ended = Lock(0)
    let source = Signal<Input, InputFailure> { observer, lifetime in
      input.withLock { $0 = observer }
      lifetime.observeEnded { ended.withLock { $0 += 1 } }
    }.named("source")
    var probes: [WeakProbe] = []
    let result = apply(source, scheduler)
    let held = Retained(result)
    let transcripts = (0..<observers).map { _ in Transcript() }
    let disposables = transcripts.compactMap { transcript in
      result.observe(observer(transcript, &probes))
    }
    return Trial(
      stream: result.reference, transcripts: transcripts,
      probes: probes,
      sendInput: { index in input.withLock { $0 }?.send(value: inputs[index]) },
      endInput: { ending in input.withLock { $0 }?.send(ending, failure) },
      disposeAll: { for disposable in disposables { disposable.dispose() } },
      release: { held.object = nil }, sources: { (1, ended.withLock { $0 }) },
      scheduler: timed ? scheduler : nil)
  }

  /// Applies an operator to a producer.
  static func cold<Input: Sendable, InputFailure: Error, Output, OutputFailure>(
    _ inputs: [Input], failure: InputFailure?, starts: Int, timed: Bool,
    _ apply: (SignalProducer<Input, InputFailure>, TestScheduler) -> SignalProducer<
      Output, OutputFailure
    >
  ) -> Trial {
    let scheduler = TestScheduler()
    let opened = Lock<[Signal<Input, InputFailure>.Observer]>([])
    let ended = Lock(0)
    let sourceProbes = Lock<[WeakProbe]>([])
    let recipeToken = Token()
    let source = SignalProducer<Input, InputFailure> { observer, lifetime in
      let token = withExtendedLifetime(recipeToken) { Token() }
      opened.withLock { $0.append(observer) }
      sourceProbes.withLock { $0.append(WeakProbe(token)) }
      lifetime.observeEnded { withExtendedLifetime(token) { ended.withLock { $0 += 1 } } }
    }.named("source")
    var probes: [WeakProbe] = []
    let result = apply(source, scheduler)
    let transcripts = (0..<starts).map { _ in Transcript() }
    var disposables: [any Disposable] = []
    for transcript in transcripts {
      let observer: Signal<Output, OutputFailure>.Observer = observer(transcript, &probes)
      transcript.expecting {
        disposables.append(result.start(observer))
        if timed { scheduler.advance() }
      }
    }
    let inputsOpen = { opened.withLock { $0 } }
    return Trial(
      stream: result.reference, transcripts: transcripts,
      probes: probes + sourceProbes.withLock { $0 }, recipeProbe: WeakProbe(recipeToken),
      sendInput: { index in for input in inputsOpen() { input.send(value: inputs[index]) } },
      endInput: { ending in for input in inputsOpen() { input.send(ending, failure) } },
      disposeAll: { [disposables] in for disposable in disposables { disposable.dispose() } },
      release: {}, sources: { (inputsOpen().count, ended.withLock { $0 }) },
      scheduler: timed ? scheduler : nil)
  }

  private static func observer<Output, OutputFailure>(
    _ transcript: Transcript, _ probes: inout [WeakProbe]
  ) -> Signal<Output, OutputFailure>.Observer {
    let token = Token()
    probes.append(WeakProbe(token))
    return Signal<Output, OutputFailure>.Observer { event in
      withExtendedLifetime(token) { transcript.note(event) }
    }
  }
}

/// Retains an object until the law releases it.
private final class Retained {
  var object: AnyObject?

  init(_ object: AnyObject) { self.object = object }
}

extension Signal.Observer {
  fileprivate func send(_ ending: Ending, _ failure: Failure?) {
    switch ending {
    case .completed: sendCompleted()
    case .interrupted: sendInterrupted()
    case .failed: if let failure { send(error: failure) }
    }
  }
}
