public import VarveReactive

/// An operator as the laws look at it: how it is applied, what it is fed with, and what its name is.
///
///     OperatorUnderTest(
///       "everyOther()", inputs: [1, 2, 3],
///       hot: { $0.everyOther() }, cold: { $0.everyOther() })
///
/// Everything of its types but texts is hidden, so that operators of all kinds fit in one table. The
/// inputs have to be such that the operator sends a value before its input completes or when it
/// does.
public struct OperatorUnderTest: Sendable, CustomStringConvertible {
  /// What an operator does that others do not.
  public enum Trait: Sendable {
    /// It does something else with a failure of its input than forwarding it.
    case handlesFailure
    /// It starts its input again after a failure.
    case outlivesFailure
    /// Its input is an inner stream of it: when that is interrupted, the next one follows.
    case outlivesInterruption
    /// It sends the interruption as a value too.
    case showsInterruption
    /// It does not complete, or not only, because its input does.
    case outlivesCompletion
    /// It delivers on a scheduler: events come when the test lets time pass.
    case timed
    /// It needs nothing of its input, and starts nothing.
    case needsNoInput
    /// Its starts share one run of its input.
    case sharesRun
  }

  /// How the operator extends the name `source`: `source.map(_:)`.
  package let name: String
  /// The same in ReactiveCocoa 2's form, `[source] -map:`; nil when nothing is promised of it.
  package let bracketName: String?
  package let inputCount: Int
  let canFail: Bool
  package let traits: Set<Trait>
  /// Applies the operator to a signal and attaches so many observers; nil when signals lack it.
  package let hot: (@Sendable (_ observers: Int) -> Trial)?
  /// Applies the operator to a producer and starts the result so many times; nil when this entry is
  /// about signals alone.
  package let cold: (@Sendable (_ starts: Int) -> Trial)?

  /// The name of what it makes of a source.
  public var description: String { name }

  private init(
    _ label: String, _ older: String?, inputCount: Int, canFail: Bool, traits: Set<Trait>,
    hot: (@Sendable (Int) -> Trial)?, cold: (@Sendable (Int) -> Trial)?
  ) {
    // A static function of its inputs has no receiver.
    let isFunction = older?.hasPrefix("+") ?? false
    func extending(_ receiver: String, _ label: String) -> String {
      label.isEmpty ? "source" : isFunction ? label : receiver + label
    }
    name = extending("source.", label)
    bracketName = older.map { extending("[source] ", $0) }
    self.inputCount = inputCount
    self.canFail = canFail
    self.traits = traits
    self.hot = hot
    self.cold = cold
  }
}

extension OperatorUnderTest {
  /// Creates an operator on inputs that can fail.
  ///
  /// - Parameters:
  ///   - label: what the operator adds to the name of its input: `take(first: 2)`. Nothing if empty.
  ///   - older: what it adds in ReactiveCocoa 2's form: `-take: 2`. Not looked at if nil.
  ///   - inputs: the values that it is fed with.
  ///   - traits: what it does that others do not.
  ///   - hot: applies it to a signal.
  ///   - cold: applies it to a producer.
  public init<Input: Sendable, Output, OutputFailure>(
    _ label: String, _ older: String? = nil, inputs: [Input], traits: Set<Trait> = [],
    hot: @escaping @Sendable (Signal<Input, TestFailure>) -> Signal<Output, OutputFailure>,
    cold:
      @escaping @Sendable (SignalProducer<Input, TestFailure>) -> SignalProducer<
        Output, OutputFailure
      >
  ) {
    self.init(
      label, older, inputs: inputs, failure: TestFailure(), traits: traits,
      scheduledHot: { signal, _ in hot(signal) }, scheduledCold: { producer, _ in cold(producer) })
  }

  /// Creates an operator on inputs that cannot fail.
  public init<Input: Sendable, Output, OutputFailure>(
    _ label: String, _ older: String? = nil, infallibleInputs inputs: [Input],
    traits: Set<Trait> = [],
    hot: @escaping @Sendable (Signal<Input, Never>) -> Signal<Output, OutputFailure>,
    cold:
      @escaping @Sendable (SignalProducer<Input, Never>) -> SignalProducer<
        Output, OutputFailure
      >
  ) {
    self.init(
      label, older, inputs: inputs, failure: Never?.none, traits: traits,
      scheduledHot: { signal, _ in hot(signal) }, scheduledCold: { producer, _ in cold(producer) })
  }

  /// Creates an operator that delivers on the scheduler that it is given. It has to be given the
  /// trait `timed` when it does not do so at once.
  public init<Input: Sendable, Output, OutputFailure>(
    _ label: String, _ older: String? = nil, inputs: [Input], traits: Set<Trait> = [.timed],
    scheduledHot:
      @escaping @Sendable (Signal<Input, TestFailure>, TestScheduler) -> Signal<
        Output, OutputFailure
      >,
    scheduledCold:
      @escaping @Sendable (SignalProducer<Input, TestFailure>, TestScheduler) -> SignalProducer<
        Output, OutputFailure
      >
  ) {
    self.init(
      label, older, inputs: inputs, failure: TestFailure(), traits: traits,
      scheduledHot: scheduledHot, scheduledCold: scheduledCold)
  }

  /// Creates an operator that only producers have.
  public init<Input: Sendable, Output, OutputFailure>(
    _ label: String, _ older: String? = nil, inputs: [Input], traits: Set<Trait> = [],
    coldOnly:
      @escaping @Sendable (SignalProducer<Input, TestFailure>) -> SignalProducer<
        Output, OutputFailure
      >
  ) {
    self.init(
      label, older, inputs: inputs, failure: TestFailure(), traits: traits, scheduledHot: nil,
      scheduledCold: { producer, _ in coldOnly(producer) })
  }

  /// Creates an operator on signals, where producers lack it or would need other inputs to do the
  /// same.
  public init<Input: Sendable, Output, OutputFailure>(
    _ label: String, _ older: String? = nil, inputs: [Input], traits: Set<Trait> = [],
    hotOnly: @escaping @Sendable (Signal<Input, TestFailure>) -> Signal<Output, OutputFailure>
  ) {
    self.init(
      label, older, inputs: inputs, failure: TestFailure(), traits: traits,
      scheduledHot: { signal, _ in hotOnly(signal) }, scheduledCold: nil)
  }

  /// Creates an operator on inputs that fail as is said here, or cannot when that is nil.
  package init<Input: Sendable, InputFailure: Error, Output, OutputFailure>(
    _ label: String, _ older: String? = nil, inputs: [Input], failure: InputFailure?,
    traits: Set<Trait> = [],
    scheduledHot: (
      @Sendable (Signal<Input, InputFailure>, TestScheduler) -> Signal<Output, OutputFailure>
    )?,
    scheduledCold: (
      @Sendable (SignalProducer<Input, InputFailure>, TestScheduler) -> SignalProducer<
        Output, OutputFailure
      >
    )?
  ) {
    let timed = traits.contains(.timed)
    var hot: (@Sendable (Int) -> Trial)?
    var cold: (@Sendable (Int) -> Trial)?
    if let scheduledHot {
      hot = { Trial.hot(inputs, failure: failure, observers: $0, timed: timed, scheduledHot) }
    }
    if let scheduledCold {
      cold = { Trial.cold(inputs, failure: failure, starts: $0, timed: timed, scheduledCold) }
    }
    self.init(
      label, older, inputCount: inputs.count, canFail: failure != nil, traits: traits, hot: hot,
      cold: cold)
  }
}

extension OperatorUnderTest {
  /// The ways in which its input can end.
  package var endings: [Ending] { canFail ? Ending.allCases : [.completed, .interrupted] }

  /// Whether the result ends, at the latest, when the input does so.
  func ends(with ending: Ending) -> Bool {
    switch ending {
    case .completed: !traits.contains(.outlivesCompletion)
    case .failed: !traits.contains(.outlivesFailure)
    case .interrupted: true
    }
  }

  /// What an observer sees when its start is disposed of.
  var interruption: [String] {
    traits.contains(.showsInterruption) ? ["VALUE INTERRUPTED", "INTERRUPTED"] : ["INTERRUPTED"]
  }

  /// A hot and a cold trial with so many observers or starts, as far as the operator has them.
  func all(_ count: Int) -> [Trial] { [hot, cold].compactMap { $0?(count) } }

  /// Such trials for each way in which the input can end.
  package func trials() -> [(Trial, Ending)] {
    endings.flatMap { ending in all(1).map { ($0, ending) } }
  }

  /// What the observers see, in the order in which they see it, of all inputs and each end.
  package func everythingSeen() -> [[String]] {
    trials().map { trial, ending in
      for index in 0..<inputCount { trial.send(index) }
      trial.end(ending)
      return trial.events
    }
  }
}
